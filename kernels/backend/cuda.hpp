#pragma once
// The CUDA side of the library, or its absence (cuda_absent.cpp), chosen when the library is built.
#include "kernels/backend/operations.hpp"

namespace toposim::kernels {

struct CudaHow {
  void* stream;
};

enum class Memory { host, device, either };  ///< either: managed memory

const Backend& cuda_backend();
bool cuda_built();
int cuda_device_count();                     ///< 0 also where the driver is missing or fails
Memory cuda_memory_of(const void* pointer);  ///< call only where there is a device
/// The error of launches since the last call, in CUDA's words; null where there is none.
const char* cuda_last_error();

}  // namespace toposim::kernels
