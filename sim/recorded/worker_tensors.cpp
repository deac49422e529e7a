#include "sim/recorded/worker_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace toposim::recorded {
namespace {

constexpr std::string_view prefix = "worker.";

WorkerTensor named(const SafetensorsEntry& entry, std::uint64_t worker, std::string_view name) {
  WorkerTensor result{worker, {std::string(name), entry.shape, 0, entry.count}, {entry.begin, entry.type}};
  if (name.empty()) result.tensor.shape = {entry.count};
  return result;
}

WorkerTensor split(const SafetensorsEntry& entry, std::uint64_t workers, const std::string& file) {
  const auto refuse = [&](const std::string& what) {
    throw RecordedError(fmt::format("{}: tensor '{}': {}", file, shown(entry.name), what));
  };
  std::string_view rest = entry.name;
  if (rest.starts_with(prefix)) rest.remove_prefix(prefix.size());
  std::uint64_t worker = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), worker);
  const auto digits = static_cast<std::size_t>(end - rest.data());
  const std::string_view tail = rest.substr(digits);
  const bool zeros = digits > 1 && rest.front() == '0';
  if (rest.size() == entry.name.size() || error != std::errc() || zeros || tail == "/" ||
      !(tail.empty() || tail.front() == '/')) {
    refuse(
        "neither worker.<i> nor worker.<i>/<tensor>, with <i> from 0 without leading zeros; rename it, or name a file "
        "for each worker as \"files\"");
  }
  if (worker >= workers) refuse(fmt::format("the index has {} workers, from 0; correct workers or the name", workers));
  return named(entry, worker, tail.empty() ? tail : tail.substr(1));
}

}  // namespace

std::vector<WorkerTensor> tensors_of_one(const std::vector<SafetensorsEntry>& entries) {
  std::vector<WorkerTensor> tensors;
  for (const SafetensorsEntry& entry : entries) tensors.push_back(named(entry, 0, entry.name));
  return tensors;
}

std::vector<WorkerTensor> tensors_of_workers(const std::vector<SafetensorsEntry>& entries, std::uint64_t workers,
                                             const std::string& file) {
  std::vector<WorkerTensor> tensors;
  tensors.reserve(entries.size());
  for (const SafetensorsEntry& entry : entries) tensors.push_back(split(entry, workers, file));
  std::ranges::stable_sort(tensors, {}, &WorkerTensor::worker);
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::uint64_t worker = tensors[i].worker;
    if (worker > next) break;
    next = worker + 1;
    const bool has_more = i + 1 < tensors.size() && tensors[i + 1].worker == worker;
    const bool has_both = has_more && tensors[i].tensor.name.empty() != tensors[i + 1].tensor.name.empty();
    if (!has_both) continue;
    throw RecordedError(fmt::format("{}: worker {} is there twice: as worker.{} and with named tensors; remove one",
                                    file, worker, worker));
  }
  if (next < workers) {
    throw RecordedError(fmt::format("{}: worker {} of {} is missing; record all, or leave this step out of the index",
                                    file, next, workers));
  }
  return tensors;
}

}  // namespace toposim::recorded
