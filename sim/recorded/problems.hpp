#pragma once
// Problems are collected, so that those of an index and of all its files are told at once.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/recorded/error.hpp"

namespace toposim::recorded {

class Problems {
 public:
  static constexpr std::size_t told_max = 20;

  void add(std::string message);  ///< once, where the same is said again
  /// Runs `part`; a RecordedError that it throws is one more problem.
  template <class Part>
  void collect(Part&& part) {
    try {
      std::forward<Part>(part)();
    } catch (const RecordedError& error) {
      add(error.what());
    }
  }
  std::size_t count() const { return count_; }
  bool full() const { return count_ >= told_max; }  ///< no more will be told, so that looking on is in vain
  /// Throws RecordedError with a line for each of the first told_max problems, where there are any.
  void throw_any() const;

 private:
  std::vector<std::string> told_;
  std::size_t count_ = 0;
};

/// Text out of a file, fit for a message: control characters become '?', and it is cut after 120 bytes.
std::string shown(std::string_view text);

}  // namespace toposim::recorded
