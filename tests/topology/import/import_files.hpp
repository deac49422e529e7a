#pragma once
// Files that tests have read, and what is said of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "topology/import/import_error.hpp"

namespace toposim::test {

/// A file that is gone with its owner.
class TempFile {
 public:
  explicit TempFile(const std::string& contents, const std::string& name = "fabric") {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    static int count = 0;
    path_ = fmt::format("{}{}_{}_{}_{}", testing::TempDir(), test->test_suite_name(), test->name(), count++, name);
    for (char& c : path_)
      if (c == '/' && &c >= path_.data() + testing::TempDir().size()) c = '_';
    std::ofstream(path_, std::ios::binary) << contents;
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// The problems that reading throws, one a line; the file's path as FILE.
template <class Read>
std::string problems_of(const std::string& path, const Read& read) {
  try {
    read();
  } catch (const topology::ImportError& error) {
    std::string text = error.what();
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
      text.replace(at, path.size(), "FILE");
    return text;
  }
  return "";
}

}  // namespace toposim::test
