#pragma once
// How a study tells what it is doing, and what stops it.
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace toposim::accuracy {

/// Either may be empty. Called from one thread at a time.
struct StudyHooks {
  std::function<void(const std::string& words)> stage;
  std::function<void(const std::string& words, std::int64_t done, std::int64_t total)> count;
};

/// A study that asks for more than can be done, found once its data are read. Says what to do.
class AccuracyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace toposim::accuracy
