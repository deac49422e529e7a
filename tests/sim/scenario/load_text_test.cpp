#include "sim/scenario/load_text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace toposim::sim {
namespace {

std::string problem_of(std::string_view bytes) {
  Problems problems;
  const auto text = clean_text(bytes, 0, problems);
  EXPECT_EQ(text.has_value(), problems.count() == 0);
  const auto found = problems.in_file_order("f", "", {});
  return found.empty() ? "" : found.front().text();
}

std::string cleaned(std::string_view bytes) {
  Problems problems;
  return clean_text(bytes, 0, problems).value_or("nothing");
}

TEST(CleanText, LineEndsAndByteOrderMark) {
  EXPECT_EQ(cleaned("a: 1\r\nb: 2\rc: 3\n"), "a: 1\nb: 2\nc: 3\n");
  EXPECT_EQ(cleaned("\xEF\xBB\xBFname: x\n"), "name: x\n");
  EXPECT_EQ(cleaned("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"), "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST(CleanText, NotUtf8) {
  EXPECT_EQ(problem_of("a: 1\nb: \xE9\n"), "f:2:4: not UTF-8: byte 0xE9 (byte 9 of the file); save the file as UTF-8");
  for (const char* bytes : {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80", "\xF8\x88\x80\x80\x80"})
    EXPECT_NE(problem_of(bytes).find("not UTF-8"), std::string::npos) << bytes;
  EXPECT_NE(problem_of("\xFF\xFE"
                       "a")
                .find("UTF-16"),
            std::string::npos);
}

TEST(CleanText, ControlCharactersTabsAndSize) {
  EXPECT_EQ(problem_of(std::string_view("a\0b", 3)),
            "f:1:2: a null byte (byte 2 of the file); this is not a text file");
  EXPECT_EQ(problem_of("a: \x1B[31m"), "f:1:4: control character 0x1B (byte 4 of the file); remove it");
  EXPECT_EQ(problem_of("a:\n  \tb: 1\n"), "f:2:3: a tab in the indentation; YAML takes spaces only");
  EXPECT_EQ(problem_of("a: 1\t# a comment after a tab\n\t\n\t# or behind one\n"), "");
  EXPECT_NE(problem_of(std::string(largest_text_bytes + 1, 'a')).find("larger than 1 MiB"), std::string::npos);
}

TEST(LoadFile, WhatIsNotAFile) {
  const auto told = [](const std::string& file) {
    Problems problems;
    EXPECT_FALSE(load_file(file, problems).has_value());
    const auto found = problems.in_file_order(file, "", {});
    return found.empty() ? "" : found.front().text();
  };
  EXPECT_EQ(told("/no/such/file.yaml"), "/no/such/file.yaml: there is no such file");
  EXPECT_NE(told("/").find("directory"), std::string::npos);
}

TEST(LoadFile, ReadsNoMoreThanItMust) {
  Problems problems;
  const auto bytes = load_file("/dev/zero", problems);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(bytes->size(), largest_text_bytes + 1);
}

}  // namespace
}  // namespace toposim::sim
