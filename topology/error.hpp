#pragma once
#include <stdexcept>

namespace toposim::topology {

/// A fabric, placement or route that cannot exist as asked. The message says what, where and what would do.
class TopologyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace toposim::topology
