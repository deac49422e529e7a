// accuracy.json as an outside file: what a study wrote comes back; whatever else the bytes, one sentence on what is
// wrong.
#include "analysis/files/efficiency_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "analysis/files/efficiency_json.hpp"
#include "sample_accuracy.hpp"
#include "temporary_directory.hpp"

namespace toposim::analysis {
namespace {

const std::string small = R"({"schema_version": 1, "kind": "statistical_efficiency", "measured_on": "m", "digest": "d",
"domain_size": 8, "batch_over_noise_scale": null, "c_in": 0.3, "c_out": 0.1, "seeds": [1, 2],
"cells": [{"faults": "permanent_5", "scheme": "drop", "dead_share": 0.05,
"statistical_efficiency": {"n": 2, "censored": 0, "mean": 0.75, "per_seed": [0.5, 1]}}]})";

std::string with(const std::string& from, const std::string& to) {
  std::string text = small;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  try {
    parse_efficiency(text, "f");
  } catch (const ResultFileError& error) {
    return error.what();
  }
  return "none";
}

void expect_refusal(const std::string& text, const std::string& part) {
  const std::string said = refusal(text);
  EXPECT_NE(said.find(part), std::string::npos) << said << "\n  does not say: " << part;
}

TEST(EfficiencyFile, WhatAStudyWroteComesBack) {
  const AccuracyResults study = sample_accuracy();
  const MeasuredEfficiency read = parse_efficiency(efficiency_json(study), "f");
  ASSERT_EQ(read.cells.size(), study.efficiency.size());
  ASSERT_FALSE(read.cells.empty());
  EXPECT_EQ(read.seeds, study.seeds.size());
  for (std::size_t i = 0; i < read.cells.size(); ++i) {
    EXPECT_EQ(read.cells[i].faults, study.efficiency[i].faults);
    EXPECT_EQ(read.cells[i].scheme, study.efficiency[i].scheme);
    ASSERT_EQ(read.cells[i].per_seed.size(), study.seeds.size());
  }
}

TEST(EfficiencyFile, EveryValue) {
  const MeasuredEfficiency read = parse_efficiency(small, "f");
  EXPECT_EQ(read.measured_on, "m");
  EXPECT_EQ(read.digest, "d");
  EXPECT_EQ(read.domain_size, 8);
  EXPECT_TRUE(std::isnan(read.batch_over_noise_scale));
  EXPECT_EQ(read.c_in, 0.3);
  EXPECT_EQ(read.c_out, 0.1);
  EXPECT_EQ(read.seeds, 2u);
  ASSERT_EQ(read.cells.size(), 1u);
  EXPECT_EQ(read.cells[0].dead_share, 0.05);
  EXPECT_EQ(read.cells[0].per_seed, (std::vector<double>{0.5, 1}));
  // A seed that did not get there: NaN, and the mean is that of the other.
  const auto censored = parse_efficiency(with(R"("n": 2, "censored": 0, "mean": 0.75, "per_seed": [0.5, 1])",
                                              R"("n": 1, "mean": 0.5, "per_seed": [0.5, null])"),
                                         "f");
  EXPECT_TRUE(std::isnan(censored.cells[0].per_seed[1]));
}

TEST(EfficiencyFile, WhatIsWrongAndWhere) {
  expect_refusal("", "f: no JSON from byte 1 on");
  expect_refusal("[1]", "f: the file: expected an object");
  expect_refusal(with("statistical_efficiency\", \"m", "lifecycle\", \"m"), "f: kind: 'lifecycle'");
  expect_refusal(with("version\": 1", "version\": 2"), "f: schema_version: this toposim reads version 1");
  expect_refusal(with("\"measured_on\": \"m\", ", ""), "f: measured_on: missing; expected a text");
  expect_refusal(with("\"domain_size\": 8", "\"domain_size\": \"8\""), "f: domain_size: expected a number or null");
  expect_refusal(with("\"faults\": \"permanent_5\"", "\"faults\": 5"), "f: cells[0].faults: expected a text");
  expect_refusal(with("0.05", "1.5"), "f: cells[0].dead_share: expected a share from 0 to 1");
  expect_refusal(with("0.05", "null"), "f: cells[0].dead_share: expected a share from 0 to 1");
  expect_refusal(with("[0.5, 1]", "[0.5, 1, 1]"), "f: cells[0].statistical_efficiency.per_seed: 3 values for 2 seeds");
  expect_refusal(with("[0.5, 1]", "[0.5, true]"), "per_seed: expected numbers and nulls");
  expect_refusal(with("[0.5, 1]", "[0, 1]"), "per_seed: an efficiency is above 0");
  expect_refusal(with("\"mean\": 0.75", "\"mean\": 0.9"), "f: cells[0].statistical_efficiency.mean: not the mean");
  expect_refusal(with("\"n\": 2", "\"n\": 5"), "f: cells[0].statistical_efficiency.n: not the 2 values");
  expect_refusal(with("\"cells\": [", "\"cells\": [], \"x\": ["), "f: cells: none");
  const std::string cell = small.substr(small.find("{\"faults\""), small.size() - 2 - small.find("{\"faults\""));
  expect_refusal(with("\"cells\": [", "\"cells\": [" + cell + ", "),
                 "f: cells[1]: drop under permanent_5 is there twice");
  expect_refusal(std::string(100000, '['), "f: nested deeper than 16 levels");
  expect_refusal(with("0.05", "1e999"), "f: a number in it is too large");
  std::string many = "[0";
  for (int i = 0; i < 500'000; ++i) many += ",0";
  expect_refusal(many + "]", "f: more than 500000 values");
}

TEST(EfficiencyFile, ThatIsNotThereOrTooLarge) {
  const TemporaryDirectory directory;
  const auto said = [&](const std::string& name) {
    try {
      read_efficiency(directory.path() / name);
    } catch (const ResultFileError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(said("a.json").find("a.json: there is no such file"), std::string::npos);
  EXPECT_NE(said("").find("it has to be a file"), std::string::npos) << said("");
  std::ofstream(directory.path() / "b.json") << small;
  EXPECT_EQ(said("b.json"), "none");
  std::filesystem::resize_file(directory.path() / "b.json", (std::size_t{16} << 20) + 1);
  EXPECT_NE(said("b.json").find("larger than 16 MiB"), std::string::npos);
}

// Bytes changed, cut and doubled: values or one of our errors, nothing else.
TEST(EfficiencyFile, Fuzz) {
  std::mt19937_64 random(1);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = small;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 20);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
        default:
          text[at] = "0123456789.-e[]{},:\"nul"[random() % 23];
      }
    }
    try {
      const MeasuredEfficiency made = parse_efficiency(text, "f");
      for (const MeasuredCell& cell : made.cells) {
        ASSERT_EQ(cell.per_seed.size(), made.seeds);
        ASSERT_TRUE(cell.dead_share >= 0 && cell.dead_share <= 1);
      }
      ++read;
    } catch (const ResultFileError& error) {
      ASSERT_EQ(std::string(error.what()).substr(0, 3), "f: ");
    }
  }
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace toposim::analysis
