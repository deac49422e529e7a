#include "topology/semantic/half.hpp"

#include <immintrin.h>

namespace toposim::topology {

void widen_halves(const std::uint16_t* halves, std::size_t count, float* out) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + i))));
  }
  for (; i < count; ++i) out[i] = _cvtsh_ss(halves[i]);
}

}  // namespace toposim::topology
