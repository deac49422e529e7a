#pragma once
// Random numbers as functions of (seed, purpose, counters): Philox 4x32-10 (Salmon et al., SC'11) from Random123.
#include <array>
#include <cstddef>
#include <cstdint>

namespace toposim::workloads {

/// What draws are for; draws of different purposes share nothing.
enum class DrawPurpose : std::uint32_t { initial_parameters = 1, training_noise = 2, evaluation_noise = 3 };

class Draws {
 public:
  Draws(std::uint64_t seed, DrawPurpose purpose);

  /// Four words for the counter (a, b): a 64 bits, b and `block` 32 bits each.
  std::array<std::uint32_t, 4> words(std::uint64_t a, std::uint32_t b, std::uint32_t block) const;

  /// Standard normal numbers of the counter (a, b), from `words` with block = first_block, first_block + 1, ...; by Box
  /// and Muller, 1958. The largest possible is 6.8.
  void normals(std::uint64_t a, std::uint32_t b, std::uint32_t first_block, double* out, std::size_t count) const;

 private:
  std::array<std::uint32_t, 2> key_{};
};

}  // namespace toposim::workloads
