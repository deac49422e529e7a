// How alike two workers' gradients are with i.i.d. data says how large their batches are, and nothing of where they
// stand: 1 / (1 + B_noise / b), with one B_noise for all batch sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fashion_steps.hpp"
#include "sim/accuracy/gradient_scene.hpp"

namespace toposim::accuracy::test {
namespace {

struct Batches {
  Scene scene;
  double cosine = 0, cosine_error = 0;  ///< mean over all pairs of workers, and its standard error
  double variance_error = 0;            ///< relative standard error of the variance of a worker's gradient
};

Batches measured(std::uint32_t batch) {
  AccuracySpec spec = labelled_spec(64, emulator::Sharing::iid);
  spec.training.batch = batch;
  Steps steps(spec);
  const std::vector<float> population = steps.population();
  const StepSimilarities similarities = steps.similarities(population);
  Batches found;
  found.scene = scene_of(similarities, steps.placement().worker_domain, batch);
  const emulator::GramMatrix& gram = similarities.all;
  const std::size_t truth = similarities.population_vector();
  std::vector<double> with(64, 0.0);  // of worker w with the others
  double squares = 0, fourth = 0;
  for (std::size_t a = 0; a < 64; ++a) {
    for (std::size_t b = 0; b < 64; ++b)
      if (a != b) with[a] += gram(a, b) / std::sqrt(gram(a, a) * gram(b, b)) / 63;
    found.cosine += with[a] / 64;
    const double off = gram(a, a) - 2 * gram(a, truth) + gram(truth, truth);
    squares += off / 64;
    fourth += off * off / 64;
  }
  double spread = 0;
  for (const double c : with) spread += (c - found.cosine) * (c - found.cosine) / 63;
  found.cosine_error = 2 * std::sqrt(spread / 64);
  found.variance_error = std::sqrt((fourth - squares * squares) / 64) / squares;
  return found;
}

TEST(AngleIsBatchSize, OneNoiseScaleTellsTheCosineOfEveryBatch) {
  // The mean over pairs is a U-statistic of degree 2: its standard error is 2 sd(h) / sqrt(W), h the mean of a worker's
  // cosines with all others. B_noise carries the relative error e of the mean of 64 squared distances, c (1 - c) e of
  // the cosine c. Together, three times.
  // (The formula also takes lengths for fixed, and they scatter: at b = 8 that is some two percent of the cosine, which
  // the bound of about 0.06 has room for; at b = 512 it is 0.003.)
  TOPOSIM_NEEDS_FASHION();
  const Batches known = measured(128);
  const double noise_scale = known.scene.all.noise_scale_samples;
  for (const std::uint32_t batch : {8U, 32U, 128U, 512U}) {
    const Batches found = measured(batch);
    const double expected = 1 / (1 + noise_scale / batch);
    const double bound = 3 * std::hypot(found.cosine_error, expected * (1 - expected) * known.variance_error);
    EXPECT_NEAR(found.cosine, expected, bound) << batch;
  }
}

}  // namespace
}  // namespace toposim::accuracy::test
