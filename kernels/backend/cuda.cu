// The CUDA backend: one launcher for all jobs. A warp takes an item; grids are as large as there are items.
#include <cuda_runtime.h>

#include "kernels/backend/cuda.hpp"
#include "kernels/pack/device_lanes.cuh"
#include "kernels/pack/warp_pack.hpp"

namespace toposim::kernels {
namespace {

constexpr int warps_per_block = 8;
constexpr std::size_t blocks_max = std::size_t{1} << 20;

template <class Job>
__global__ void __launch_bounds__(32 * warps_per_block, 2) run_items(const Job job) {
  const std::size_t items = job.items(), warps = static_cast<std::size_t>(gridDim.x) * warps_per_block;
  for (std::size_t item = static_cast<std::size_t>(blockIdx.x) * warps_per_block + threadIdx.x / 32; item < items;
       item += warps)
    job.template run<Warp<DeviceLanes>>(item);
}

class CudaLauncher {
 public:
  explicit CudaLauncher(const void* how)
      : stream_(static_cast<cudaStream_t>(static_cast<const CudaHow*>(how)->stream)) {}

  template <class Job>
  void operator()(const Job& job) const {
    static_assert(sizeof(Job) <= 4096, "kernel parameters");
    const std::size_t blocks = (job.items() + warps_per_block - 1) / warps_per_block;
    run_items<<<static_cast<unsigned>(blocks < blocks_max ? blocks : blocks_max), 32 * warps_per_block, 0, stream_>>>(
        job);
  }

 private:
  cudaStream_t stream_;
};

}  // namespace

const Backend& cuda_backend() {
  static constexpr Backend table = backend_of<CudaLauncher>();
  return table;
}

bool cuda_built() {
  return true;
}

int cuda_device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();  // this failure is told by the count, not by the next launch
  return 0;
}

Memory cuda_memory_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
    cudaGetLastError();
    return Memory::host;
  }
  switch (attributes.type) {
    case cudaMemoryTypeDevice:
      return Memory::device;
    case cudaMemoryTypeManaged:
      return Memory::either;
    default:
      return Memory::host;
  }
}

const char* cuda_last_error() {
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

}  // namespace toposim::kernels
