// The default LatencySpec beside measurements: prints every size, checks what is claimed for it. From 1 GiB up, where
// it is fitted, 2 %; from 1 MiB up, where bandwidth still governs and little is fitted, 10 %; below, where latencies
// are NCCL's own table, 20 %.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "clusters.hpp"

namespace {

using namespace toposim::sim;
using toposim::test::Fabric;
using toposim::test::hand_spec;

struct Measured {
  double bytes, time_s;
};

/// Rows of numbers of an nccl-tests CSV; empty if the file is absent.
std::vector<std::vector<double>> read_csv(const std::string& path) {
  std::vector<std::vector<double>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || !std::isdigit(static_cast<unsigned char>(line[0]))) continue;
    std::vector<double> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell.empty() ? NAN : std::stod(cell));
    rows.push_back(row);
  }
  return rows;
}

/// Largest |predicted / measured - 1| over sizes in [from, to].
double worst_deviation(Fabric& fabric, const std::vector<Measured>& points, double from, double to, bool print) {
  double worst = 0;
  for (const auto& [bytes, time_s] : points) {
    const auto time =
        fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, bytes}, Algorithm::automatic, LatencySpec{});
    const double deviation = time.total_s / time_s - 1;
    if (print)
      fmt::print(
          "{:>12.0f} B  measured {:>10.2f} us  predicted {:>10.2f} us  {:>+6.1f} %  busbw {:>6.1f} GB/s  {} {}\n",
          bytes, time_s * 1e6, time.total_s * 1e6, deviation * 100, time.busbw_Bps * 1e-9, to_string(time.algorithm),
          to_string(time.protocol));
    if (bytes >= from && bytes <= to) worst = std::max(worst, std::abs(deviation));
  }
  return worst;
}

constexpr double MiB = 1048576.0, GiB = 1024 * MiB, everything = 1e18;

TEST(Calibration, EightH100WithNvls) {
  const std::string path = std::string(TOPOSIM_SHARED_DATA) + "/measured/nccl_allreduce_8xH100_nvswitch.csv";
  const auto rows = read_csv(path);
  if (rows.empty()) GTEST_SKIP() << path << " is absent";
  ASSERT_EQ(rows.size(), 32u);
  std::vector<Measured> points;  // the faster column: two sizes have an outlier out of place
  for (const auto& row : rows) points.push_back({row[0], std::min(row[1], row[2]) * 1e-6});
  auto spec = hand_spec(1);
  spec.nvlink_sharp = true;
  Fabric fabric(spec);
  EXPECT_LE(worst_deviation(fabric, points, 1 * GiB, everything, true), 0.02);
  EXPECT_LE(worst_deviation(fabric, points, 1 * MiB, 512 * MiB, false), 0.10);
  EXPECT_LE(worst_deviation(fabric, points, 0, MiB / 2, false), 0.20);
}

TEST(Calibration, TwoNodesOfEightH100) {
  const std::string path = std::string(TOPOSIM_SHARED_DATA) + "/measured/nccl_allreduce_2x8xH100_ib400.csv";
  const auto rows = read_csv(path);
  if (rows.empty()) GTEST_SKIP() << path << " is absent";
  std::vector<Measured> points;  // where there is no time, it follows from busbw = S/t x 2 x 15/16
  for (const auto& row : rows)
    points.push_back({row[0], std::isnan(row[1]) ? row[0] * 1.875 / (row[2] * 1e9) : row[1] * 1e-6});
  auto spec = hand_spec(2);
  spec.nvlink_sharp = true;
  Fabric fabric(spec);
  EXPECT_LE(worst_deviation(fabric, points, 1 * GiB, everything, true), 0.02);
  EXPECT_LE(worst_deviation(fabric, points, 1 * MiB, 512 * MiB, false), 0.10);
}

}  // namespace
