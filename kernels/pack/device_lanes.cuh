#pragma once
// A warp's lanes on a GPU: each thread is one, and holds its own element of everything.
#include "kernels/body/shape.hpp"

namespace toposim::kernels {

struct DeviceLanes {
  using Float = float;
  using Word = std::uint32_t;
  using Double = double;

  template <class T>
  __device__ __forceinline__ static T& at(T& own, int) {
    return own;
  }
  template <class T>
  __device__ __forceinline__ static const T& at(const T& own, int) {
    return own;
  }
  template <class T>
  __device__ __forceinline__ static T any(const T& own) {
    return own;
  }
  template <class Body>
  __device__ __forceinline__ static void each_lane(const Body& body) {
    body(static_cast<int>(threadIdx.x % 32));
  }
  template <class Body>
  __device__ __forceinline__ static void one_lane(const Body& body) {
    if (threadIdx.x % 32 == 0) body();
  }
  template <class T>
  __device__ __forceinline__ static T from_lane_xor(const T& own, int mask) {
    return __shfl_xor_sync(0xffffffffu, own, mask);
  }
  __device__ __forceinline__ static void sync() { __syncwarp(); }
};

}  // namespace toposim::kernels
