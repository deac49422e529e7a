// What losing a domain for good costs, by what is in it: with clustered data a part of what there is to learn.
#include <gtest/gtest.h>

#include <cmath>

#include "fashion_steps.hpp"
#include "sim/accuracy/training_cells.hpp"

namespace toposim::accuracy::test {
namespace {

/// Ten domains of four workers. One of them dies at the start and nothing is recovered: final loss over that of the
/// fault-free run of the same seed, less 1, mean over three seeds.
double cost_of_a_domain(emulator::Sharing sharing, double global_mix) {
  AccuracySpec spec = labelled_spec(40, sharing, global_mix);
  spec.placement.domain_size = 4;
  spec.training.steps = 120;
  spec.training.evaluation_samples = 2000;
  spec.faults = {fault_case(emulator::FaultPattern::domain, 0)};
  spec.schemes = {scheme("drop")};
  spec.seeds = 3;
  const std::vector<TrainingCell> cells =
      train_cells(*fashion(), spec, place_data(*fashion(), spec, 2), nullptr, 2, {});
  EXPECT_EQ(cells.size(), 2U);
  double cost = 0;
  for (std::size_t run = 0; run < 3; ++run) {
    EXPECT_EQ(cells[1].runs[run].compensated_steps, 120U);
    EXPECT_EQ(cells[1].runs[run].dead_worker_steps, 480U);
    cost += (cells[1].runs[run].evaluation.loss / cells[0].runs[run].evaluation.loss - 1) / 3;
  }
  return cost;
}

TEST(WholeDomainLoss, CostsWhatOnlyThatDomainKnew) {
  // Clustered, each domain holds one label of ten, and with it dies all that is ever seen of it: a tenth of the
  // held-out samples cost several nats instead of some 0.6, so the loss rises by half at the least. i.i.d. the batch is
  // a tenth smaller: the noise of a short run, 5 %. With 15 % from all samples, one in eight, each survivor still sees
  // the label in one sample of eighty instead of ten: in between, by a good margin on both sides.
  TOPOSIM_NEEDS_FASHION();
  const double clustered = cost_of_a_domain(emulator::Sharing::shared, 0);
  const double mixed = cost_of_a_domain(emulator::Sharing::shared, 0.15);
  const double iid = cost_of_a_domain(emulator::Sharing::iid, 0);
  EXPECT_GT(clustered, 0.5);
  EXPECT_LT(std::fabs(iid), 0.05);
  EXPECT_GT(mixed, iid + 0.02);
  EXPECT_LT(mixed, clustered / 2);
}

}  // namespace
}  // namespace toposim::accuracy::test
