#pragma once
#include "kernels/backend/operations.hpp"

namespace toposim::kernels {

struct CpuHow {
  int threads;  ///< 0: OpenMP's default
};

const Backend& cpu_baseline();
const Backend& cpu_avx2();
const Backend& cpu_avx512();

}  // namespace toposim::kernels
