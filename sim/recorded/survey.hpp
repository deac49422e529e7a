#pragma once
// What an open recording knows of its files: where in them each worker's tensors lie. Numbers are not read here.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/recorded/element_type.hpp"
#include "sim/recorded/index_file.hpp"
#include "sim/recorded/parameter_order.hpp"

namespace toposim::recorded {

/// A tensor of one worker: bytes from the start of a file's data.
struct Place {
  std::uint64_t offset = 0;
  ElementType type = ElementType::fp32;
  bool operator<(const Place& other) const {
    return offset != other.offset ? offset < other.offset : type < other.type;
  }
};

/// Row per worker of the file, tensors in the order of ParameterOrder.
using Layout = std::vector<Place>;

struct SurveyedFile {
  std::string path;
  std::uint64_t bytes = 0, data_offset = 0;
  std::shared_ptr<const Layout> layout;  ///< files that are alike share one
};

struct SurveyedStep {
  std::uint64_t step = 0;
  bool per_worker = false;
  std::size_t first_file = 0;  ///< of the step; with per_worker, worker w has first_file + w
};

struct Survey {
  std::uint64_t workers = 0;
  ParameterOrder order;
  std::vector<SurveyedFile> files;
  std::vector<SurveyedStep> steps;
};

/// Reads the headers of all files. Throws RecordedError with the first problems of all of them.
Survey survey_files(const RecordedIndex& index);

}  // namespace toposim::recorded
