#include "sim/accuracy/step_similarities.hpp"

#include <algorithm>
#include <exception>

#include "kernels/topokernels.hpp"

namespace toposim::accuracy {
namespace {

/// work(kernels, worker) for every worker, by any thread.
template <class Work>
void for_each_worker(const SimilaritySpec& spec, const Work& work) {
  std::exception_ptr failure;
#pragma omp parallel num_threads(std::max(spec.threads, 1))
  {
    kernels::Kernels kernels;
#pragma omp for schedule(static)
    for (std::size_t w = 0; w < spec.workers; ++w) {
      try {
        work(kernels, w);
      } catch (...) {
#pragma omp critical(toposim_similarity_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Adds the sketches of one piece of every worker's gradient.
void add_sketches(const SimilaritySpec& spec, std::span<const std::span<const float>> rows, std::uint64_t seed,
                  std::vector<float>& sketches) {
  for_each_worker(spec, [&](kernels::Kernels& kernels, std::size_t w) {
    std::vector<float> sketch(spec.sketch_width);
    kernels.sketch(rows[w], seed, sketch);
    float* sum = sketches.data() + w * spec.sketch_width;
    for (std::size_t k = 0; k < spec.sketch_width; ++k) sum[k] += sketch[k];
  });
}

/// What int8 leaves of each row.
void through_int8(const SimilaritySpec& spec, std::span<const std::span<const float>> rows, std::vector<float>& out) {
  const std::size_t length = rows[0].size();
  out.resize(rows.size() * length);
  for_each_worker(spec, [&](kernels::Kernels& kernels, std::size_t w) {
    std::vector<std::int8_t> values(length);
    std::vector<float> scales((length + 127) / 128);
    kernels.quantise(rows[w], values, scales);
    kernels.dequantise(values, scales, {out.data() + w * length, length});
  });
}

/// do_piece(group, index of the piece, begin, end) for pieces of each layer group.
template <class DoPiece>
void for_each_piece(const SimilaritySpec& spec, const DoPiece& do_piece) {
  std::size_t index = 0;
  for (std::size_t group = 0; group < spec.groups.size(); ++group)
    for (std::size_t begin = spec.groups[group].begin; begin < spec.groups[group].end;
         begin += spec.coordinates_at_once, ++index)
      do_piece(group, index, begin, std::min(spec.groups[group].end, begin + spec.coordinates_at_once));
}

}  // namespace

std::vector<float> sketches_of(const SimilaritySpec& spec, const GradientRows& rows) {
  std::vector<float> sketches(spec.workers * spec.sketch_width, 0.0F);
  std::vector<std::span<const float>> piece(spec.workers);
  for_each_piece(spec, [&](std::size_t, std::size_t index, std::size_t begin, std::size_t end) {
    for (std::size_t w = 0; w < spec.workers; ++w) piece[w] = rows(0, w, begin, end);
    add_sketches(spec, piece, spec.seed + index, sketches);
  });
  return sketches;
}

StepSimilarities similarities_of(const SimilaritySpec& spec, const GradientRows& rows,
                                 std::vector<std::vector<float>> sketches) {
  StepSimilarities made;
  made.step = spec.step;
  made.workers = spec.workers;
  made.ages = spec.ages;
  made.quantised = spec.quantised;
  made.population = !spec.population.empty();
  made.sketch_width = spec.sketch_width;
  made.sketches = std::move(sketches);
  made.all = emulator::GramMatrix(made.vectors());
  for (const ParameterRange& group : spec.groups) {
    made.group_names.push_back(group.name);
    made.groups.emplace_back(made.vectors());
  }
  std::vector<std::span<const float>> piece(made.vectors());
  std::vector<float> quantised;
  for_each_piece(spec, [&](std::size_t group, std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t age = 0; age < spec.ages; ++age)
      for (std::size_t w = 0; w < spec.workers; ++w) piece[made.vector_of(age, w)] = rows(age, w, begin, end);
    if (made.quantised) {
      through_int8(spec, std::span(piece).first(spec.workers), quantised);
      for (std::size_t w = 0; w < spec.workers; ++w)
        piece[made.quantised_vector(w)] = std::span<const float>(quantised).subspan(w * (end - begin), end - begin);
    }
    if (made.population) piece.back() = spec.population.subspan(begin, end - begin);
    made.groups[group].add(piece, spec.threads);
  });
  for (const emulator::GramMatrix& group : made.groups) made.all.add(group);
  return made;
}

double similarity_bytes(std::size_t workers, std::size_t ages, std::size_t groups) {
  const auto vectors = static_cast<double>(workers * ages + 1);
  return vectors * vectors * sizeof(double) * static_cast<double>(groups + 1);
}

}  // namespace toposim::accuracy
