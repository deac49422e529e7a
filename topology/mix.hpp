#pragma once
#include <cstdint>

namespace toposim::topology {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): a bijection
/// of 64-bit words in which every input bit moves about half of the output bits. Same bits on every machine.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The upper 32 bits of a hash, scaled to 0 .. n-1 without a division.
constexpr std::uint32_t below(std::uint64_t hash, std::uint32_t n) {
  return static_cast<std::uint32_t>(((hash >> 32) * n) >> 32);
}

}  // namespace toposim::topology
