#include "topology/semantic/random_words.hpp"

#include <Random123/philox.h>

namespace toposim::topology {
namespace {

std::uint32_t low_word(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
std::uint32_t high_word(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

}  // namespace

std::array<std::uint32_t, 4> random_words(std::uint64_t seed, RandomUse use, std::uint64_t index, std::uint32_t draw) {
  const r123::Philox4x32_R<10>::ctr_type counter = {
      {low_word(index), high_word(index), draw, static_cast<std::uint32_t>(use)}};
  const r123::Philox4x32_R<10>::key_type key = {{low_word(seed), high_word(seed)}};
  const auto out = r123::Philox4x32_R<10>()(counter, key);
  return {out[0], out[1], out[2], out[3]};
}

// 52 bits, so that adding a half stays exact and 1 is out of reach.
double open_unit(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 12;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

double random_unit(std::uint64_t seed, RandomUse use, std::uint64_t index, std::uint32_t draw) {
  const auto words = random_words(seed, use, index, draw);
  return open_unit(words[0], words[1]);
}

}  // namespace toposim::topology
