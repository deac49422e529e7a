// Checkpoint/restart against Daly's exact form (FGCS 22, 2006, eq. 20), where it is exact: exponential failures that
// stop the job whatever it does, unlimited spares, checkpoints written with the job standing still.
//
//   ETTR = t / (M e^(R/M) (e^((t + d)/M) - 1)),  t: work between checkpoints, d: write, R: restart, M: mean gap
//
// First order, 1 - d/t - (R + t/2)/M, and Meta's form, (1 - (R + t/2)/M) / (1 + d/t) (arXiv 2410.21680), are printed
// beside it: they are not what a correct simulation gives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "faults/fault_timeline.hpp"
#include "small_job.hpp"

namespace toposim::sim::test {
namespace {

struct Setting {
  const char* name;
  const char* label;  // the name as a test may carry it
  double mtbf_s, restart_s, write_s, step_s;
  std::int64_t interval_steps;
  double exact;  // Daly, FGCS 22, 2006, eq. 20
};

class Daly : public ::testing::TestWithParam<Setting> {};

TEST_P(Daly, MeanOfTwoThousandRuns) {
  const Setting& s = GetParam();
  const double t = s.step_s * static_cast<double>(s.interval_steps), M = s.mtbf_s, R = s.restart_s, d = s.write_s;
  const double exact = t / (M * std::exp(R / M) * std::expm1((t + d) / M));
  const double first_order = 1 - d / t - (R + t / 2) / M;
  const double meta = (1 - (R + t / 2) / M) / (1 + d / t);
  ASSERT_NEAR(exact, s.exact, 5e-5) << "the formula as written here against the published value";

  // A recovery of R in its parts, so that failures meet each of them.
  SchemeSpec spec = plain_spec(SchemeKind::checkpoint_restart);
  spec.recovery = {0.1 * R, 0, 0.2 * R, 0.1 * R, 0, 0.1 * R};
  spec.checkpoint.interval_s = t;
  spec.checkpoint.write_s = d;
  spec.checkpoint.load_s = 0.5 * R;
  const std::int64_t step_ns = seconds(s.step_s);
  SmallJob job;
  SchemeContext context = job.context();
  context.step_time_ns = step_ns;
  const auto scheme = make_scheme(spec, context);
  ASSERT_EQ(scheme->checkpoints().interval_steps, s.interval_steps);

  faults::FaultClassSpec c;
  c.name = "software";
  c.component = faults::Component::job;
  c.mtbf_s = s.mtbf_s;
  c.repair = {faults::RepairShape::constant, 1e-6, 0};
  const faults::FaultModel model(faults::FaultSpec{"", {c}}, std::vector<std::uint32_t>{1});

  const JobMap map = job.map();
  PlainCosts costs(4, step_ns);
  constexpr int runs = 2000;
  const std::int64_t horizon_ns = seconds(54 * 86400);
  double sum = 0, sum_of_squares = 0;
  std::int64_t in_recovery = 0, stopped = 0;
  for (std::uint32_t run = 0; run < runs; ++run) {
    Outages outages(horizon_ns);
    for (const auto& fault : model.draw(2024, run, horizon_ns))
      outages.add(fault.start_ns, fault.repair_ns, {0, true, false, {}, {}, {}});
    outages.sort();
    const LifecycleResult r = simulate(map, *scheme, outages, costs);
    sum += ettr(r);
    sum_of_squares += ettr(r) * ettr(r);
    in_recovery += r.faults_in_recovery;
    stopped += r.faults;
  }
  const double mean = sum / runs;
  const double error = std::sqrt((sum_of_squares / runs - mean * mean) / (runs - 1));
  // Failures meet recoveries at rate R/M; and each recovery that fails is begun again.
  EXPECT_NEAR(static_cast<double>(in_recovery) / static_cast<double>(stopped), 1 - std::exp(-R / M), 0.005);
  EXPECT_NEAR(mean, exact, 3 * error + 5e-4);
  fmt::print(
      "{:28} ETTR {:.5f} +- {:.5f}  Daly {:.5f} ({:+.5f})  first order {:.5f} ({:+.5f})  Meta {:.5f} ({:+.5f})\n",
      s.name, mean, error, exact, exact - mean, first_order, first_order - mean, meta, meta - mean);
}

constexpr double minute = 60;
// Meta: 2048 nodes failing 6.5e-3 times a day each.
INSTANTIATE_TEST_SUITE_P(Settings, Daly,
                         ::testing::Values(Setting{"restart 5 min, write 10 s", "Restart5MinWrite10S", 185.585 * minute,
                                                   5 * minute, 10, 7.87 * minute / 100, 100, 0.93274},
                                           Setting{"restart 20 min, write 60 s", "Restart20MinWrite60S",
                                                   185.585 * minute, 20 * minute, 60, 19.27 * minute / 200, 200,
                                                   0.80778},
                                           Setting{"Meta, 60 minutes", "Meta60Min", 1440 * minute / (2048 * 6.5e-3),
                                                   5 * minute, 0, 6, 600, 0.7144}),
                         [](const auto& setting) { return std::string(setting.param.label); });

}  // namespace
}  // namespace toposim::sim::test
