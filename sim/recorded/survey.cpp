#include "sim/recorded/survey.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/recorded/limits.hpp"
#include "sim/recorded/npy_file.hpp"
#include "sim/recorded/safetensors_header.hpp"
#include "sim/recorded/source_file.hpp"
#include "sim/recorded/worker_tensors.hpp"

namespace toposim::recorded {
namespace {

class Surveyor {
 public:
  explicit Surveyor(const RecordedIndex& index) : index_(index) { survey_.workers = index.workers; }

  void add(const IndexStep& step) {
    survey_.steps.push_back({step.step, step.per_worker, survey_.files.size()});
    for (const std::string& name : step.files) {
      if (problems_.full()) return;
      survey_.files.emplace_back();
      problems_.collect([&] { survey(name, step.per_worker, survey_.files.back()); });
    }
  }

  Survey take() {
    problems_.throw_any();
    return std::move(survey_);
  }

 private:
  void survey(const std::string& name, bool per_worker, SurveyedFile& surveyed) {
    surveyed.path = (std::filesystem::path(index_.folder) / name).string();
    const SourceFile file(surveyed.path);
    surveyed.bytes = file.bytes();
    const std::uint64_t rows = per_worker ? 1 : index_.workers;
    Layout layout;
    if (name.ends_with(".npy")) {
      layout = survey_npy(file, rows, per_worker, surveyed.data_offset);
    } else if (name.ends_with(".safetensors")) {
      layout = survey_safetensors(file, rows, per_worker, surveyed.data_offset);
    } else {
      throw RecordedError(fmt::format(
          "{}: neither .npy nor .safetensors by its name; write one of these, and name it in the index", file.path()));
    }
    surveyed.layout = shared(std::move(layout));
  }

  Layout survey_npy(const SourceFile& file, std::uint64_t rows, bool per_worker, std::uint64_t& data_offset) {
    const NpyArray array = read_npy_array(file);
    if (array.shape.size() != (per_worker ? 1 : 2)) {
      throw RecordedError(
          fmt::format("{}: byte 10: an array of {} dimensions; {}", file.path(), array.shape.size(),
                      per_worker ? "one worker's numbers (1) are read from a file among \"files\"; save array.ravel()"
                                 : "workers x numbers (2) are read from a \"file\"; save array.reshape(workers, -1)"));
    }
    if (!per_worker && array.shape[0] != rows) {
      throw RecordedError(fmt::format("{}: byte 10: {} rows for {} workers; save a row for each, or correct workers",
                                      file.path(), array.shape[0], rows));
    }
    const std::uint64_t count = array.shape.back();
    agree({{"", {count}, 0, count}}, file.path(), "");
    data_offset = array.data_offset;
    Layout layout(rows);
    for (std::uint64_t row = 0; row < rows; ++row) {
      layout[row] = {row * count * element_bytes(array.type), array.type};
    }
    return layout;
  }

  Layout survey_safetensors(const SourceFile& file, std::uint64_t rows, bool per_worker, std::uint64_t& data_offset) {
    const SafetensorsHeader header = read_safetensors_header(file);
    data_offset = header.data_offset;
    const std::vector<WorkerTensor> tensors =
        per_worker ? tensors_of_one(header.tensors) : tensors_of_workers(header.tensors, rows, file.path());
    if (tensors.empty()) throw RecordedError(fmt::format("{}: no tensors; record some", file.path()));
    Layout layout;
    for (std::size_t begin = 0; begin < tensors.size();) {
      std::size_t end = begin;
      while (end < tensors.size() && tensors[end].worker == tensors[begin].worker) ++end;
      std::vector<Tensor> found;
      for (std::size_t i = begin; i < end; ++i) found.push_back(tensors[i].tensor);
      const std::string whose = per_worker ? "" : fmt::format("worker {}: ", tensors[begin].worker);
      agree(found, file.path(), whose);
      const std::size_t row = layout.size();
      layout.resize(row + found.size());
      for (std::size_t i = begin; i < end; ++i) {
        layout[row + survey_.order.index_of.at(tensors[i].tensor.name)] = tensors[i].place;
      }
      begin = end;
    }
    return layout;
  }

  // One worker's tensors are those of the first worker of the first sound file.
  void agree(const std::vector<Tensor>& found, const std::string& path, const std::string& whose) {
    ParameterOrder& order = survey_.order;
    if (order.tensors.empty()) {
      order = order_parameters(found, index_, path);
      return;
    }
    const auto refuse = [&](const std::string& what) {
      throw RecordedError(
          fmt::format("{}: {}{}; all workers and steps need the same tensors: record them again, or leave them out",
                      path, whose, what));
    };
    const bool flat = found.size() == 1 && found.front().name.empty();
    if (flat != order.flat()) {
      refuse(
          fmt::format("{}, unlike {}", flat ? "flat rows without names of tensors" : "named tensors", order.reference));
    }
    std::vector<bool> seen(order.tensors.size(), false);
    for (const Tensor& tensor : found) {
      const auto place = order.index_of.find(tensor.name);
      if (place == order.index_of.end()) {
        refuse(fmt::format("tensor '{}' is not in {}", shown(tensor.name), order.reference));
      }
      seen[place->second] = true;
      const Tensor& expected = order.tensors[place->second];
      if (tensor.shape == expected.shape) continue;
      if (flat) refuse(fmt::format("{} numbers, where {} has {}", tensor.count, order.reference, expected.count));
      refuse(fmt::format("tensor '{}' has shape [{}], in {} [{}]", shown(tensor.name), fmt::join(tensor.shape, ", "),
                         order.reference, fmt::join(expected.shape, ", ")));
    }
    const auto missing = std::ranges::find(seen, false);
    if (missing == seen.end()) return;
    refuse(fmt::format("tensor '{}' of {} is missing",
                       shown(order.tensors[static_cast<std::size_t>(missing - seen.begin())].name), order.reference));
  }

  std::shared_ptr<const Layout> shared(Layout layout) {
    auto candidate = std::make_shared<const Layout>(std::move(layout));
    return *layouts_.insert(std::move(candidate)).first;
  }

  struct ByPlaces {
    bool operator()(const std::shared_ptr<const Layout>& a, const std::shared_ptr<const Layout>& b) const {
      return *a < *b;
    }
  };

  const RecordedIndex& index_;
  Survey survey_;
  Problems problems_;
  std::set<std::shared_ptr<const Layout>, ByPlaces> layouts_;
};

}  // namespace

Survey survey_files(const RecordedIndex& index) {
  Surveyor surveyor(index);
  for (const IndexStep& step : index.steps) surveyor.add(step);
  return surveyor.take();
}

}  // namespace toposim::recorded
