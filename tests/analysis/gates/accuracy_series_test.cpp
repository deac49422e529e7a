#include "analysis/gates/accuracy_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/gates/gate_check.hpp"
#include "sample_accuracy.hpp"

namespace toposim::analysis {
namespace {

std::vector<GateSeries> named(const std::string& metric, const std::string& scheme, const std::string& where) {
  std::vector<GateSeries> found;
  for (const GateSeries& series : series_of(sample_accuracy()))
    if (series.metric == metric && series.scheme == scheme && series.where == where) found.push_back(series);
  return found;
}

// Of schemes: 16 gradient cells of 12 columns, 16 training cells of 9, 4 efficiency cells of 2: 192 + 144 + 8.
TEST(AccuracySeries, AreAllColumns) {
  const std::vector<GateSeries> all = series_of(sample_accuracy());
  const auto of_scheme = [](const GateSeries& series) { return series.scheme != fault_free; };
  EXPECT_EQ(std::count_if(all.begin(), all.end(), of_scheme), 344);
  const auto found = named("global_error_ratio", "shrink", "transient_5@400");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].values, around(0.985, 0.04));
  EXPECT_EQ(found[0].unit, Unit::ratio);
  EXPECT_FALSE(found[0].needs_every_value);
  EXPECT_EQ(named("final_loss", "fault_free", "none@200").size(), 1u);
  EXPECT_EQ(named("steps_needed", "drop", "domain_out").size(), 1u);
}

bool passes(const std::string& subject, const std::string& where, double bound) {
  Gate gate;
  gate.subject = subject;
  gate.text = subject + " <= ";
  gate.where = where;
  gate.op = GateOp::at_most;
  gate.bound = bound;
  const auto nearest = [](std::string_view, const std::vector<std::string>&) { return std::string(); };
  return check_gates(series_of(sample_accuracy()), {gate}, nearest).front().passed;
}

// zero diverged in one run under domain_out: whatever the others lost, its gates fail there, and only there.
TEST(AccuracySeries, ARunThatDivergedFailsItsGates) {
  EXPECT_TRUE(passes("final_loss_delta.shrink", "transient_5", 0.003));
  EXPECT_FALSE(passes("final_loss_delta.shrink", "transient_5", 0.001));
  EXPECT_TRUE(passes("final_loss_delta.zero", "transient_5@400", 9));
  EXPECT_FALSE(passes("final_loss_delta.zero", "domain_out@400", 9));
}

// A difference to drop that is missing because drop diverged says nothing against the scheme.
TEST(AccuracySeries, OnlyTheSchemesOwnDivergence) {
  AccuracyResults r;
  r.training = {{"out",
                 "other",
                 4,
                 {real("final_loss", Unit::number, {1, 1}), real("final_loss_to_drop", Unit::ratio, {0, no_value})}}};
  EXPECT_FALSE(series_of(r)[1].needs_every_value);
  r.training[0].metrics[0].reals[0] = no_value;
  EXPECT_TRUE(series_of(r)[1].needs_every_value);
}

}  // namespace
}  // namespace toposim::analysis
