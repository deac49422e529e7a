#pragma once
// Counter-based random words: Philox 4x32-10 (Salmon et al., SC'11) from Random123. A word is a pure function of seed,
// use and counter, so nothing depends on the order of draws or on threads.
#include <array>
#include <cstdint>

namespace toposim::topology {

/// What words are for; different uses never share words.
enum class RandomUse : std::uint32_t {
  sample_rows = 0x5e3a0001,  ///< which rows stand for all of them
  seeding,                   ///< first centroids
  relocation,                ///< where a centroid goes that has too few samples
  soft_draw,                 ///< which domain a sample is dealt to
  subspace,                  ///< start of a subspace iteration
  tabu,                      ///< tenures of a tabu search
};

/// Four words for (seed, use, index, draw).
std::array<std::uint32_t, 4> random_words(std::uint64_t seed, RandomUse use, std::uint64_t index, std::uint32_t draw);

/// 52 bits of two words, in (0, 1): (bits + 1/2) / 2^52, exact.
double open_unit(std::uint32_t high, std::uint32_t low);

/// One number in (0, 1) for (seed, use, index, draw).
double random_unit(std::uint64_t seed, RandomUse use, std::uint64_t index, std::uint32_t draw);

}  // namespace toposim::topology
