#pragma once
#include <stdexcept>

namespace toposim::faults {

/// A trace that cannot be read or makes no sense as asked. The message says where, what and what to do, one problem a
/// line.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace toposim::faults
