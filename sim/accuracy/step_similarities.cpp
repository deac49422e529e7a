#include "sim/accuracy/step_similarities.hpp"

#include <algorithm>
#include <exception>

#include "kernels/topokernels.hpp"

namespace toposim::accuracy {
namespace {

/// Adds the sketches of one piece of every worker's gradient.
void add_sketches(const SimilaritySpec& spec, std::span<const std::span<const float>> rows, std::uint64_t seed,
                  std::vector<float>& sketches) {
  std::exception_ptr failure;
#pragma omp parallel num_threads(std::max(spec.threads, 1))
  {
    kernels::Kernels kernels;
    std::vector<float> sketch(spec.sketch_width);
#pragma omp for schedule(static)
    for (std::size_t w = 0; w < spec.workers; ++w) {
      try {
        kernels.sketch(rows[w], seed, sketch);
        float* sum = sketches.data() + w * spec.sketch_width;
        for (std::size_t k = 0; k < spec.sketch_width; ++k) sum[k] += sketch[k];
      } catch (...) {
#pragma omp critical(toposim_similarity_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

StepSimilarities similarities_of(const SimilaritySpec& spec, const GradientRows& rows) {
  StepSimilarities made;
  made.step = spec.step;
  made.workers = spec.workers;
  made.ages = spec.ages;
  made.population = !spec.population.empty();
  made.sketch_width = spec.sketch_width;
  made.sketches.assign(spec.ages, std::vector<float>(spec.workers * spec.sketch_width, 0.0F));
  made.all = emulator::GramMatrix(made.vectors());
  std::vector<std::span<const float>> piece(made.vectors());
  std::uint64_t pieces = 0;
  for (const ParameterRange& group : spec.groups) {
    made.group_names.push_back(group.name);
    made.groups.emplace_back(made.vectors());
    for (std::size_t begin = group.begin; begin < group.end; begin += spec.coordinates_at_once, ++pieces) {
      const std::size_t end = std::min(group.end, begin + spec.coordinates_at_once);
      for (std::size_t age = 0; age < spec.ages; ++age)
        for (std::size_t w = 0; w < spec.workers; ++w) piece[made.vector_of(age, w)] = rows(age, w, begin, end);
      if (made.population) piece.back() = spec.population.subspan(begin, end - begin);
      made.groups.back().add(piece, spec.threads);
      for (std::size_t age = 0; age < spec.ages && spec.sketch_width > 0; ++age)
        add_sketches(spec, std::span(piece).subspan(age * spec.workers, spec.workers), spec.seed + pieces,
                     made.sketches[age]);
    }
    made.all.add(made.groups.back());
  }
  return made;
}

double similarity_bytes(std::size_t workers, std::size_t ages, std::size_t groups) {
  const auto vectors = static_cast<double>(workers * ages + 1);
  return vectors * vectors * sizeof(double) * static_cast<double>(groups + 1);
}

}  // namespace toposim::accuracy
