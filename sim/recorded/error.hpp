#pragma once
#include <stdexcept>

namespace toposim::recorded {

/// Recorded gradients that cannot be read as they are. The message says in which file, where in it, what is wrong and
/// what to do; one line per problem.
class RecordedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace toposim::recorded
