// Built without CUDA: no device, ever.
#include "kernels/backend/cuda.hpp"

namespace toposim::kernels {

const Backend& cuda_backend() {
  static constexpr Backend none{};
  return none;
}
bool cuda_built() {
  return false;
}
int cuda_device_count() {
  return 0;
}
Memory cuda_memory_of(const void*) {
  return Memory::host;
}
const char* cuda_last_error() {
  return nullptr;
}

}  // namespace toposim::kernels
