#pragma once
// One step's gradients, and those of the steps before it, as all that a study of estimators needs: inner products by
// layer group, and sketches. Once made, thousands of failure draws cost no gradient.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/emulator/gram_matrix.hpp"

namespace toposim::accuracy {

struct ParameterRange {
  std::string name;
  std::size_t begin = 0, end = 0;
};

/// Row `worker` of the gradients of `age` steps ago, coordinates [begin, end), valid until the next call with the same
/// age and worker.
using GradientRows =
    std::function<std::span<const float>(std::size_t age, std::size_t worker, std::size_t begin, std::size_t end)>;

struct StepSimilarities {
  std::uint64_t step = 0;
  std::size_t workers = 0;
  std::size_t ages = 1;         ///< this step and those before it
  bool quantised = false;       ///< whether this step's gradients are there a second time, as int8 leaves them
  bool population = false;      ///< whether the last vector is the population gradient
  emulator::GramMatrix all{0};  ///< vector age x workers + worker, then quantised ones, then the population gradient
  std::vector<std::string> group_names;
  std::vector<emulator::GramMatrix> groups;
  std::size_t sketch_width = 0;
  std::vector<std::vector<float>> sketches;  ///< by age: workers x sketch_width; may go further back than `ages`

  std::size_t vectors() const { return workers * (ages + (quantised ? 1 : 0)) + (population ? 1 : 0); }
  std::size_t vector_of(std::size_t age, std::size_t worker) const { return age * workers + worker; }
  std::size_t quantised_vector(std::size_t worker) const { return ages * workers + worker; }
  std::size_t population_vector() const { return vectors() - 1; }
};

struct SimilaritySpec {
  std::uint64_t step = 0;
  std::size_t workers = 0, ages = 1;
  bool quantised = false;
  std::vector<ParameterRange> groups;  ///< cover the parameters
  std::size_t sketch_width = 512;
  std::uint64_t seed = 1;                     ///< of the sketches
  std::span<const float> population;          ///< may be empty
  std::size_t coordinates_at_once = 1 << 20;  ///< of a vector, so that longer ones need not be in memory
  int threads = 1;
};

/// Sketches of this step's gradients. A vector that does not fit `coordinates_at_once` is sketched in pieces with
/// a hash each, and the pieces added up: a count-sketch like any other, of other bits.
std::vector<float> sketches_of(const SimilaritySpec& spec, const GradientRows& rows);

/// `sketches`: by age, sketches_of() this step and earlier ones. All results are the same bits for any number of
/// threads.
StepSimilarities similarities_of(const SimilaritySpec& spec, const GradientRows& rows,
                                 std::vector<std::vector<float>> sketches);

/// Bytes that similarities take. ages: with one more for quantised gradients.
double similarity_bytes(std::size_t workers, std::size_t ages, std::size_t groups);

}  // namespace toposim::accuracy
