#pragma once
#include <stdexcept>

namespace toposim::faults {

/// A fault class or a draw that makes no sense as asked. The message names the class and says what would do.
class FaultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace toposim::faults
