// The reference fits of the InfiniteHBD trace (arXiv 2502.03885): maximum likelihood, location 0, zero gaps left out,
// hours; parameters to 1e-5 relative, log-likelihoods to 0.01.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "faults/fit/clustering.hpp"
#include "faults/fit/downtime.hpp"
#include "faults/fit/maximum_likelihood.hpp"
#include "faults/trace/read_trace.hpp"

namespace toposim::faults {
namespace {

struct Reference {
  const char* name;
  std::size_t n, zeros;
  double mean, k, lambda, mu, sigma, exponential, weibull, lognormal;
};

void expect_fits(const Sample& sample, const Reference& r) {
  EXPECT_EQ(sample.values_h.size(), r.n) << r.name;
  EXPECT_EQ(sample.zeros, r.zeros) << r.name;
  const auto e = fit(Family::exponential, sample), w = fit(Family::weibull, sample), l = fit(Family::lognormal, sample);
  ASSERT_TRUE(e && w && l);
  EXPECT_NEAR(e->distribution.scale_h / r.mean, 1, 1e-5) << r.name;
  EXPECT_NEAR(w->distribution.shape / r.k, 1, 1e-5) << r.name;
  EXPECT_NEAR(w->distribution.scale_h / r.lambda, 1, 1e-5) << r.name;
  EXPECT_NEAR(std::log(l->distribution.scale_h) / r.mu, 1, 1e-5) << r.name;
  EXPECT_NEAR(l->distribution.shape / r.sigma, 1, 1e-5) << r.name;
  EXPECT_NEAR(e->log_likelihood, r.exponential, 0.01) << r.name;
  EXPECT_NEAR(w->log_likelihood, r.weibull, 0.01) << r.name;
  EXPECT_NEAR(l->log_likelihood, r.lognormal, 0.01) << r.name;
}

TEST(InfiniteHbd, ReferenceFits) {
  const std::string path = TOPOSIM_SHARED_DATA "/failures/infinitehbd_fault_trace.json";
  if (!std::ifstream(path)) GTEST_SKIP() << path << " is not there";
  const Trace trace = read_trace(path);
  const TraceWindow window{0, trace.last_ns};
  std::vector<TraceRecord> hardware, gpu;
  for (const TraceRecord& r : trace.records) {
    if (r.fault_class == TraceClass::hardware) hardware.push_back(r);
    if (trace.components[r.component] == "GPU") gpu.push_back(r);
  }
  const auto expect_both = [&](const std::vector<TraceRecord>& records, const Reference& between,
                               const Reference& repair) {
    expect_fits(gaps_between_faults(records, ZeroGaps::leave_out), between);
    expect_fits(repair_times(records, window, ZeroGaps::leave_out), repair);
  };
  expect_both(
      trace.records,
      {"between, all", 528, 55, 15.67715, 0.624100, 11.26474, 1.450361, 2.256159, -1981.164, -1862.786, -1944.605},
      {"repair, all", 570, 14, 136.1029, 0.450533, 50.68463, 2.709743, 2.521044, -3370.644, -2881.271, -2880.412});
  expect_both(
      hardware,
      {"between, hardware", 288, 9, 28.5917, 0.730297, 23.54854, 2.357451, 1.828371, -1253.698, -1226.065, -1261.387},
      {"repair, hardware", 298, 0, 188.6834, 0.418083, 66.54976, 2.835900, 2.856381, -1859.541, -1572.673, -1580.709});
  expect_both(gpu,
              {"between, GPU", 155, 2, 53.12522, 0.753373, 45.41202, 3.010308, 1.890845, -770.761, -759.550, -785.272},
              {"repair, GPU", 158, 0, 155.4442, 0.366784, 35.51281, 2.084029, 2.976156, -955.313, -731.856, -725.789});

  // Union of down time 3231.3222 node-days, 2.3214 % of 400 nodes in 348 days; p99 of nodes down at once 7.75 % of
  // them, 31; most 35. The worst 5 % of the nodes, 20, carry 24.5 % of the faults: 143 of 584.
  const NodesDown down = nodes_down(down_intervals(trace.records, window, Overlaps::merge), window);
  EXPECT_NEAR(down.node_days, 3231.3222, 5e-5);
  EXPECT_NEAR(down.node_days / (400 * 348), 0.023214, 5e-7);
  EXPECT_EQ(down.p99, 31U);
  EXPECT_EQ(down.most, 35U);
  const Clustering c = clustering(trace.records, window, 400);
  EXPECT_EQ(c.worst_nodes, 20U);
  EXPECT_DOUBLE_EQ(c.worst_share, 143.0 / 584);
}

}  // namespace
}  // namespace toposim::faults
