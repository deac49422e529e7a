#pragma once
// What this machine's memory does, measured in the same process: STREAM's triad, and reading alone, with AVX2 where
// there is. Kernels are held against these.
#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace toposim::bench {

/// fp32 numbers in huge pages where the system allows it, all written once.
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    const std::size_t bytes = (count * sizeof(float) + huge - 1) / huge * huge;
    data_ = static_cast<float*>(std::aligned_alloc(huge, bytes));
    if (data_ == nullptr) throw std::bad_alloc();
    ::madvise(data_, bytes, MADV_HUGEPAGE);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < bytes / sizeof(float); ++i) data_[i] = 1.0f / static_cast<float>(1 + i % 97);
  }
  ~Buffer() {
    std::free(data_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  float* data() {
    return data_;
  }
  std::size_t count() const {
    return count_;
  }

 private:
  static constexpr std::size_t huge = std::size_t{1} << 21;
  std::size_t count_;
  float* data_;
};

inline constexpr std::size_t stream_count = std::size_t{1} << 26;  ///< 256 MiB an array

inline Buffer& stream_array(int which) {
  static Buffer a(stream_count), b(stream_count), c(stream_count);
  return which == 0 ? a : which == 1 ? b : c;
}

__attribute__((target_clones("avx2", "default"), optimize("O3"))) inline float read_all(const float* x, std::size_t n) {
  float s[64] = {};
  for (std::size_t i = 0; i + 64 <= n; i += 64)
    for (int k = 0; k < 64; ++k) s[k] += x[i + static_cast<std::size_t>(k)];
  float sum = 0;
  for (const float v : s) sum += v;
  return sum;
}

__attribute__((target_clones("avx2", "default"), optimize("O3"))) inline void triad(float* a, const float* b,
                                                                                    const float* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0f * c[i];
}

enum class Stream { read, triad };

/// Bytes per second of one pass over three arrays (as STREAM counts), by the wall clock.
inline double stream_Bps(Stream kind, int threads) {
  float *a = stream_array(0).data(), *b = stream_array(1).data(), *c = stream_array(2).data();
  const auto start = std::chrono::steady_clock::now();
  float sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    const auto n = stream_count / static_cast<std::size_t>(omp_get_num_threads());
    const std::size_t from = n * static_cast<std::size_t>(omp_get_thread_num());
    if (kind == Stream::read)
      sum += read_all(a + from, n) + read_all(b + from, n) + read_all(c + from, n);
    else
      triad(a + from, b + from, c + from, n);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (sum == 0.5f) std::abort();  // the sum is used
  return 3.0 * sizeof(float) * static_cast<double>(stream_count) / took.count();
}

}  // namespace toposim::bench
