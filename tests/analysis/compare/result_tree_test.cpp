// results.json as an outside file: whatever the bytes, a tree or one sentence on what is wrong.
#include "analysis/compare/result_tree.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <fstream>
#include <random>

#include "analysis/compare/compare_report.hpp"
#include "analysis/files/json_writer.hpp"
#include "sample_results.hpp"
#include "temporary_directory.hpp"

namespace toposim::analysis {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_result_tree(text, "f");
  } catch (const ResultFileError& error) {
    return error.what();
  }
  return "none";
}

TEST(ResultTree, OfARun) {
  const ResultTree tree = parse_result_tree(results_json(sample_results()), "f");
  EXPECT_EQ(tree.kind, "lifecycle");
  EXPECT_EQ(tree.scenario, "llama3_16k");
  EXPECT_EQ(tree.seed, "7");
  EXPECT_EQ(tree.hash, "fnv1a64:0011223344556677");
  EXPECT_TRUE(tree.digest.starts_with("fnv1a64:"));
  const std::string first = "schemes." + sample_results().schemes[0].name;
  EXPECT_EQ(tree.leaves.at(first + ".metrics.ettr.min").number, 0.928);
  EXPECT_EQ(tree.leaves.at(first + ".metrics.ettr.unit").text, "ratio");
  const Sample& ettr = tree.samples.at(first + ".metrics.ettr");
  EXPECT_EQ(ettr.n, 4);
  EXPECT_NEAR(ettr.mean, 0.93, 1e-15);
  EXPECT_NEAR(ettr.sd, 0.00163299, 1e-8);  // as in result_files_test.cpp
}

TEST(ResultTree, SeedsBeyondWhatDoublesHold) {
  EXPECT_EQ(parse_result_tree(R"({"schema_version": 1, "digest": "d", "seed": 18446744073709551615})", "f").seed,
            "18446744073709551615");
}

TEST(ResultTree, WhatIsNoResultsJson) {
  EXPECT_EQ(refusal(R"({"schema_version": 1, "digest": "d")"),
            "f: no JSON from byte 36 on; results.json is written whole or not at all, so it was changed or cut since");
  EXPECT_NE(refusal("").find("no JSON from byte 1 on"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": \"\xff\"}").find("no JSON"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": NaN}").find("no JSON"), std::string::npos);
  EXPECT_EQ(refusal("[1]"), "f: the JSON in it is no object; no results.json");
  EXPECT_EQ(refusal(R"({"a": 1})"), "f: it has no schema_version or no digest; no results.json of toposim");
  EXPECT_EQ(refusal(R"({"a": 1e999})"), "f: a number in it is too large for a double; no results.json");
  EXPECT_EQ(refusal("{\"a\": " + std::string(100000, '[')), "f: nested deeper than 64 levels; no results.json");
  std::string many = "{\"a\": [0";
  for (int i = 0; i < 2'000'000; ++i) many += ",0";
  EXPECT_EQ(refusal(many + "]}"), "f: more than 2000000 values; no results.json");
  EXPECT_EQ(refusal("{\"" + std::string(1001, 'k') + "\": 1}"), "f: a key of 1001 bytes; no results.json");
  // 40 keys of 1,000 bytes inside each other, 10,000 values in the innermost: 400 MB of paths from a small file.
  std::string deep, ends;
  for (int i = 0; i < 40; ++i) deep += "{\"" + std::string(1000, 'k') + "\": ", ends += "}";
  std::string list = "[0";
  for (int i = 0; i < 10000; ++i) list += ",0";
  EXPECT_EQ(refusal(deep + list + "]" + ends),
            "f: its keys take more than 256 MiB once written in full; no results.json");
}

TEST(ResultTree, SpreadsThatAreNone) {
  const auto samples = [](const std::string& metric) {
    return parse_result_tree(R"({"schema_version": 1, "digest": "d", "m": )" + metric + "}", "f").samples.size();
  };
  EXPECT_EQ(samples(R"({"n": 2, "mean": 1, "sd": 0})"), 1u);
  EXPECT_EQ(samples(R"({"n": 1, "mean": 1, "sd": 0})"), 0u);
  EXPECT_EQ(samples(R"({"n": 1e300, "mean": 1, "sd": 0})"), 0u);
  EXPECT_EQ(samples(R"({"n": 2, "mean": null, "sd": 0})"), 0u);
  EXPECT_EQ(samples(R"({"n": 2, "mean": 1, "sd": -1})"), 0u);
  EXPECT_EQ(samples(R"({"n": "2", "mean": 1, "sd": 1})"), 0u);
}

TEST(ResultTree, FilesAndFolders) {
  const TemporaryDirectory directory;
  const auto refusal_of = [](const std::filesystem::path& path) -> std::string {
    try {
      read_result_tree(path);
    } catch (const ResultFileError& error) {
      return error.what();
    }
    return "none";
  };
  const auto file = directory.path() / "results.json";
  EXPECT_EQ(refusal_of(directory.path()),
            file.string() + ": there is no such file; toposim SCENARIO --out DIR writes one");
  EXPECT_EQ(refusal_of(directory.path() / "no"),
            (directory.path() / "no").string() + ": there is no such file or folder");
  std::ofstream(file) << results_json(sample_results());
  EXPECT_EQ(read_result_tree(directory.path()).scenario, "llama3_16k");
  EXPECT_EQ(read_result_tree(file).file, file.string());
  // 10 GB of nothing on the disk, of which a little is read.
  ASSERT_EQ(::truncate(file.c_str(), off_t{10} << 30), 0);
  EXPECT_EQ(refusal_of(file),
            file.string() + ": larger than 64 MiB; a results.json is far smaller, so this is probably another file");
}

TEST(ResultTreeFuzz, EveryFileHasAnAnswer) {
  Results results = sample_results();
  const std::string good = results_json(results);
  const ResultTree other = parse_result_tree(good, "other");
  const std::string pieces[] = {"{",
                                "}",
                                "[",
                                "]",
                                ",",
                                ":",
                                "\"",
                                "null",
                                "1e308",
                                "-1",
                                "1e999",
                                "0",
                                "\"n\":",
                                "\"sd\"",
                                "\\u00",
                                "NaN",
                                "true",
                                "\xff",
                                "\n",
                                "2",
                                "99999999999999999999",
                                "1e-320",
                                "\"name\": \"x\",",
                                "\"a.b\": 1,"};
  std::mt19937_64 random(20240612);
  const auto elapsed_s = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double end_s = elapsed_s() + 2;
  int runs = 0, read = 0;
  for (; runs < 5000 && elapsed_s() < end_s; ++runs) {
    std::string text = good;
    const std::size_t changes = 1 + random() % 5;
    for (std::size_t i = 0; i < changes; ++i) {
      const std::size_t at = random() % (text.size() + 1),
                        length = std::min<std::size_t>(random() % 20, text.size() - at);
      const std::string& piece = pieces[random() % std::size(pieces)];
      switch (random() % 6) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.replace(at, length, piece);
          break;
        case 2:
          text.insert(at, piece);
          break;
        case 3:  // digits and letters: most of these read
          if (at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]))) text[at] = '7';
          break;
        case 4:
          if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
          break;
        default:
          if (random() % 8 == 0) text.resize(at);
      }
    }
    ResultTree tree;
    try {
      tree = parse_result_tree(text, "f");
      ++read;
    } catch (const ResultFileError& error) {
      ASSERT_TRUE(std::string(error.what()).starts_with("f: ")) << error.what();
      continue;
    }
    for (const bool statistical : {false, true}) {
      CompareOptions options;
      options.statistical = statistical;
      try {
        const Comparison comparison = compare(tree, other, options);
        for (const Difference& one : comparison.differences) ASSERT_FALSE(std::isnan(one.relative)) << one.path;
        ASSERT_FALSE(compare_report(tree, other, options, comparison, {}).empty());
      } catch (const ResultFileError& error) {  // another kind
        ASSERT_NE(std::string(error.what()).find("nothing to compare"), std::string::npos) << error.what();
      }
    }
  }
  EXPECT_GT(runs, 100);
  EXPECT_GT(read, runs / 50);
}

}  // namespace
}  // namespace toposim::analysis
