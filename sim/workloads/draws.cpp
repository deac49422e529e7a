#include "sim/workloads/draws.hpp"

#include <Random123/philox.h>

#include <cmath>

#include "sim/workloads/fixed_math.hpp"

namespace toposim::workloads {

namespace {

using Philox = r123::Philox4x32_R<10>;

std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

/// Strictly between 0 and 1.
double uniform(std::uint32_t word) {
  return (word + 0.5) * 0x1p-32;
}

}  // namespace

Draws::Draws(std::uint64_t seed, DrawPurpose purpose) {
  const Philox::key_type key = {{low(seed), high(seed)}};
  const auto words = Philox()({{static_cast<std::uint32_t>(purpose), 0, 0, 0}}, key);
  key_ = {words[0], words[1]};
}

std::array<std::uint32_t, 4> Draws::words(std::uint64_t a, std::uint32_t b, std::uint32_t block) const {
  const Philox::key_type key = {{key_[0], key_[1]}};
  const auto out = Philox()({{low(a), high(a), b, block}}, key);
  return {out[0], out[1], out[2], out[3]};
}

void Draws::normals(std::uint64_t a, std::uint32_t b, std::uint32_t first_block, double* out, std::size_t count) const {
  for (std::size_t i = 0; i < count; i += 4) {
    const auto w = words(a, b, first_block + static_cast<std::uint32_t>(i / 4));
    double z[4];
    for (std::size_t pair = 0; pair < 4; pair += 2) {
      const double radius = std::sqrt(-2 * log(uniform(w[pair])));
      const SineCosine direction = sine_cosine(uniform(w[pair + 1]));
      z[pair] = radius * direction.cosine;
      z[pair + 1] = radius * direction.sine;
    }
    for (std::size_t k = 0; k < 4 && i + k < count; ++k) out[i + k] = z[k];
  }
}

}  // namespace toposim::workloads
