// Gradients that somebody recorded go through the same study as those of virtual workers.
#include "sim/accuracy/recorded_study.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "npy_file.hpp"

namespace toposim::accuracy::test {
namespace {

/// Eight workers of two domains, 300 parameters, steps 10, 11, 12 and 20; in a folder that is gone when this is.
class Recording {
 public:
  explicit Recording(const std::string& more = R"("domain_size": 4, "batch": 16)") {
    std::filesystem::create_directory(folder_);
    std::mt19937 random(5);
    std::string steps;
    for (const int step : {10, 11, 12, 20}) {
      gradients_.emplace_back(8 * 300);
      for (float& x : gradients_.back()) x = static_cast<float>(random()) * 0x1p-31F - 1;
      for (std::size_t k = 0; k < 300; ++k)  // what the second domain has in common
        for (std::size_t w = 4; w < 8; ++w) gradients_.back()[w * 300 + k] += k % 2 == 0 ? 0.5F : -0.5F;
      const std::string name = std::to_string(step) + ".npy";
      write_npy(folder_ + "/" + name, 8, 300,
                [&](std::size_t w, std::size_t k) { return gradients_.back()[w * 300 + k]; });
      steps += (steps.empty() ? "" : ", ") + (R"({"step": )" + std::to_string(step)) + R"(, "file": ")" + name + "\"}";
    }
    std::ofstream(folder_ + "/index.json")
        << R"({"schema_version": 1, "workers": 8, )" << more << R"(, "steps": [)" << steps << "]}";
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { std::filesystem::remove_all(folder_); }

  const std::string& folder() const { return folder_; }
  recorded::RecordedGradients open() const { return recorded::RecordedGradients::open(folder_); }

  /// Of the n-th recorded step, from memory.
  StepSimilarities similarities(std::size_t n, std::size_t ages) const {
    SimilaritySpec spec;
    spec.workers = 8;
    spec.groups = {{"all", 0, 300}};
    spec.sketch_width = 64;
    const auto rows = [&](std::size_t age, std::size_t worker, std::size_t begin, std::size_t end) {
      return std::span<const float>(gradients_[n - age]).subspan(worker * 300 + begin, end - begin);
    };
    std::vector<std::vector<float>> sketches;
    for (std::size_t age = 0; age < ages; ++age)
      sketches.push_back(sketches_of(spec, [&](std::size_t, std::size_t worker, std::size_t begin, std::size_t end) {
        return rows(age, worker, begin, end);
      }));
    spec.ages = ages;
    return similarities_of(spec, rows, std::move(sketches));
  }

 private:
  std::string folder_ = testing::TempDir() + "recorded_study_" + std::to_string(getpid());
  std::vector<std::vector<float>> gradients_;
};

AccuracySpec recorded_spec() {
  AccuracySpec spec;
  spec.gradient = {{0, 0.67, 1}, 10};
  spec.sketch_width = 64;
  spec.schemes = {{"drop", "drop", 1, false}, {"shrink", "shrink", 1, false}, {"stale", "stale", 1, false}};
  spec.faults.resize(1);
  spec.faults[0].name = "transient";
  spec.faults[0].faults.pattern = emulator::FaultPattern::transient;
  spec.faults[0].faults.share = 0.2;
  return spec;
}

TEST(RecordedStudy, IsThatOfTheSameGradientsInMemory) {
  const Recording recording;
  const recorded::RecordedGradients opened = recording.open();
  const AccuracySpec spec = recorded_spec();
  const DataPlacement placement = place_recorded(opened, spec);
  EXPECT_EQ(placement.worker_domain, (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  const auto points = measure_recorded(opened, spec, placement, 1e9, 2, {});
  // Of four recorded steps 0, 2.01 and 3: the first has none before it, step 12 two, step 20 none without a gap.
  ASSERT_EQ(points.size(), 3U);
  const std::size_t at[] = {0, 2, 3}, ages[] = {1, 3, 1};
  const std::uint64_t steps[] = {10, 12, 20};
  for (std::size_t p = 0; p < 3; ++p) {
    const StepSimilarities similarities = recording.similarities(at[p], ages[p]);
    EXPECT_EQ(points[p].scene.step, steps[p]);
    EXPECT_EQ(points[p].scene.all.c_in, scene_of(similarities, placement.worker_domain, 16).all.c_in);
    DrawSpec draws;
    draws.domain = placement.worker_domain;
    draws.draws = 10;
    const auto expected = draw_failures(similarities, spec.faults[0], spec.schemes, draws);
    for (std::size_t s = 0; s < spec.schemes.size(); ++s)
      for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(points[p].draws[0][s][i].global_error_ratio, expected[s][i].global_error_ratio)
            << spec.schemes[s].name;
        EXPECT_EQ(points[p].draws[0][s][i].dead, expected[s][i].dead);
      }
    EXPECT_TRUE(std::isnan(points[p].draws[0][0][0].population_error_ratio)) << "nothing is known of the samples";
  }
}

TEST(RecordedStudy, BatchAndDomainsAreTheScenariosWhereTheRecordingHasNone) {
  AccuracySpec spec = recorded_spec();
  spec.placement.domain_size = 3;
  {
    const Recording recording;
    EXPECT_EQ(recorded_batch(recording.open(), spec), 16U);
    spec.recorded.batch = 4;
    EXPECT_EQ(recorded_batch(recording.open(), spec), 4U) << "the scenario's goes first";
    EXPECT_NE(place_recorded(recording.open(), spec).worker_domain, worker_domains(8, 3));
  }
  const Recording bare(R"("batch": 2)");
  EXPECT_EQ(place_recorded(bare.open(), spec).worker_domain, worker_domains(8, 3));
}

TEST(RecordedStudy, FaultsThatTheJobCannotHaveAndTooLittleMemoryAreRefused) {
  const Recording recording;
  AccuracySpec spec = recorded_spec();
  const DataPlacement placement = place_recorded(recording.open(), spec);
  try {
    measure_recorded(recording.open(), spec, placement, 1e6, 2, {});
    ADD_FAILURE() << "1 MB";
  } catch (const AccuracyError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(recording.folder()), std::string::npos) << what;
    EXPECT_NE(what.find("record fewer workers, or larger layer groups"), std::string::npos) << what;
  }
  spec.faults[0].name = "everybody";
  spec.faults[0].faults.share = 1;
  try {
    place_recorded(recording.open(), spec);
    ADD_FAILURE() << "nobody survives";
  } catch (const AccuracyError& error) {
    EXPECT_EQ(std::string(error.what()),
              "faults: everybody of 8 recorded workers: step faults: no worker would survive");
  }
}

}  // namespace
}  // namespace toposim::accuracy::test
