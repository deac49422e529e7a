#pragma once
#include <stdexcept>

namespace toposim::workloads {

/// Data that is missing or broken, or a workload asked for something it has not. The message says where, what and what
/// to do.
class WorkloadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace toposim::workloads
