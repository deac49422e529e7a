#include "sim/recorded/recorded_gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "sim/recorded/problems.hpp"
#include "sim/recorded/source_file.hpp"
#include "sim/recorded/survey.hpp"
#include "topology/error.hpp"
#include "topology/semantic/processor.hpp"

namespace toposim::recorded {

struct RecordedGradients::State {
  RecordedIndex index;
  Survey survey;
  std::vector<std::uint64_t> steps;
  std::optional<topology::Embeddings> embeddings;
  mutable OpenFiles open_files;
};

namespace {

constexpr std::size_t part_numbers = 65'536;

void check_embeddings(const topology::Embeddings& embeddings, std::uint64_t workers) {
  if (embeddings.rows() == workers) return;
  throw RecordedError(fmt::format("{}: {} rows for {} workers; save the mean embedding of each worker's data",
                                  embeddings.name(), embeddings.rows(), workers));
}

// An exponent of all ones is an infinity or a NaN. A loop over integers, so that it vectorises.
bool all_finite(std::span<const float> values) {
  std::uint32_t bad = 0;
  for (const float value : values) {
    bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(value) & 0x7f800000u) == 0x7f800000u);
  }
  return bad == 0;
}

// Fills `out`, or tells the first number that is not finite. In parts, which are still in the cache when they are
// looked at.
std::optional<std::size_t> read_numbers(const SourceFile& file, std::uint64_t offset, ElementType type,
                                        std::span<float> out) {
  const std::uint64_t width = element_bytes(type);
  std::vector<std::uint16_t> packed(type == ElementType::fp32 ? 0 : std::min<std::uint64_t>(out.size(), part_numbers));
  for (std::size_t begin = 0; begin < out.size(); begin += part_numbers) {
    const std::span<float> part = out.subspan(begin, std::min<std::size_t>(out.size() - begin, part_numbers));
    const std::uint64_t at = offset + begin * width;
    if (type == ElementType::fp32) {
      file.read(at, reinterpret_cast<char*>(part.data()), part.size_bytes());
    } else {
      file.read(at, reinterpret_cast<char*>(packed.data()), part.size() * width);
      widen(type, packed.data(), part.size(), part.data());
    }
    if (all_finite(part)) continue;
    const auto finite = [](const float& number) { return all_finite({&number, 1}); };
    return begin + static_cast<std::size_t>(std::ranges::find_if_not(part, finite) - part.begin());
  }
  return std::nullopt;
}

}  // namespace

RecordedGradients::RecordedGradients(std::shared_ptr<const State> state) : state_(std::move(state)) {}

RecordedGradients RecordedGradients::open(const std::string& path) {
  const auto state = std::make_shared<State>();
  Problems problems;
  state->index = read_index(path);
  problems.collect([&] { state->survey = survey_files(state->index); });
  if (!state->index.embeddings.empty()) {
    problems.collect([&] {
      const auto file = std::filesystem::path(state->index.folder) / state->index.embeddings;
      try {
        state->embeddings = topology::Embeddings::open_npy(file.string());
      } catch (const topology::TopologyError& error) {
        throw RecordedError(error.what());
      }
      check_embeddings(*state->embeddings, state->index.workers);
    });
  }
  problems.throw_any();
  for (const SurveyedStep& step : state->survey.steps) state->steps.push_back(step.step);
  return RecordedGradients(state);
}

std::uint64_t RecordedGradients::workers() const {
  return state_->index.workers;
}
std::uint64_t RecordedGradients::parameters() const {
  return state_->survey.order.parameters;
}
const std::vector<Group>& RecordedGradients::groups() const {
  return state_->survey.order.groups;
}
const std::vector<std::uint64_t>& RecordedGradients::steps() const {
  return state_->steps;
}
const std::vector<std::uint32_t>& RecordedGradients::domains() const {
  return state_->index.domains;
}
std::optional<std::uint64_t> RecordedGradients::batch() const {
  return state_->index.batch;
}
const std::string& RecordedGradients::index_path() const {
  return state_->index.path;
}
const topology::Embeddings* RecordedGradients::embeddings() const {
  return state_->embeddings ? &*state_->embeddings : nullptr;
}

void RecordedGradients::read(std::size_t step, std::uint64_t worker, std::span<float> out) const {
  if (out.size() != parameters()) {
    throw RecordedError(
        fmt::format("{}: room for {} numbers, a gradient has {}", index_path(), out.size(), parameters()));
  }
  read(step, worker, 0, out);
}

void RecordedGradients::read(std::size_t step, std::uint64_t worker, std::uint64_t begin, std::span<float> out) const {
  const Survey& survey = state_->survey;
  if (step >= survey.steps.size() || worker >= workers() || begin > parameters() || out.size() > parameters() - begin) {
    throw RecordedError(fmt::format(
        "{}: parameters {} to {} of worker {} in step number {} were asked for; there are {} of {} workers in {} steps",
        index_path(), begin, begin + out.size(), worker, step, parameters(), workers(), survey.steps.size()));
  }
  const SurveyedStep& at = survey.steps[step];
  const std::size_t key = at.first_file + (at.per_worker ? worker : 0);
  const SurveyedFile& surveyed = survey.files[key];
  const std::shared_ptr<const SourceFile> file = state_->open_files.open(key, surveyed.path);
  if (file->bytes() != surveyed.bytes) {
    throw RecordedError(fmt::format("{}: {} bytes, and {} when the recording was opened; leave it alone meanwhile",
                                    surveyed.path, file->bytes(), surveyed.bytes));
  }
  const std::vector<Tensor>& tensors = survey.order.tensors;
  const Place* const places = surveyed.layout->data() + (at.per_worker ? 0 : worker * tensors.size());
  auto tensor = std::ranges::upper_bound(tensors, begin, {}, &Tensor::begin) - 1;
  for (; !out.empty(); ++tensor) {
    const Place& place = places[tensor - tensors.begin()];
    const std::uint64_t first = begin - tensor->begin, count = std::min(out.size(), tensor->count - first);
    const std::uint64_t offset = surveyed.data_offset + place.offset + first * element_bytes(place.type);
    if (const auto bad = read_numbers(*file, offset, place.type, out.first(count))) {
      const std::string named = tensor->name.empty() ? "" : fmt::format("tensor '{}', ", shown(tensor->name));
      throw RecordedError(fmt::format(
          "{}: byte {}: step {}, worker {}, {}number {}: {} is no gradient; leave the step out of the index, or record "
          "it "
          "again",
          surveyed.path, offset + *bad * element_bytes(place.type), at.step, worker, named, first + *bad, out[*bad]));
    }
    out = out.subspan(count);
    begin += count;
  }
}

}  // namespace toposim::recorded
