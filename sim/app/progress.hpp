#pragma once
// One line on a terminal: what is going on, how far, how much longer. Nothing in a pipe.
#include <chrono>
#include <cstdint>
#include <string>

namespace toposim::sim {

class Progress {
 public:
  /// Silent unless `wanted` and stderr is a terminal.
  explicit Progress(bool wanted);
  ~Progress();  ///< clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void stage(const std::string& words);                                         ///< what is being done, without a count
  void count(const std::string& words, std::int64_t done, std::int64_t total);  ///< with an ETA, at most 5 a second

 private:
  void show(const std::string& line);
  bool on_;
  bool shown_ = false;
  std::string counted_;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace toposim::sim
