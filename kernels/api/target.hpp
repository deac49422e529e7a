#pragma once
// Where a call runs: which backend, with what.
#include "kernels/api/regions.hpp"
#include "kernels/backend/cpu.hpp"
#include "kernels/backend/cuda.hpp"

namespace toposim::kernels {

struct Target {
  const Backend* backend = nullptr;
  CpuHow cpu{};
  CudaHow cuda{};
  bool on_gpu = false;
  const void* how() const { return on_gpu ? static_cast<const void*>(&cuda) : &cpu; }
};

/// Resolves `auto`, refuses what is not there and memory of the wrong kind, and checks the workspace. TK_OK, or a
/// status with its message.
tk_status choose_target(const tk_exec& exec, const Regions& regions, std::size_t workspace_bytes, Target& target);

/// TK_OK, or what the launches of this call ran into.
tk_status outcome(const Target& target);

}  // namespace toposim::kernels
