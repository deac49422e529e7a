#pragma once
// Counter-based random words: Philox 4x32-10 (Salmon et al., SC'11) from Random123. A word is a pure function of a key
// and a counter, so nothing depends on the order of draws or on threads.
#include <array>
#include <cstdint>
#include <string_view>

namespace toposim::faults {

/// What a stream is for; streams of different purposes never share words.
enum class StreamPurpose : std::uint32_t {
  fault_class = 1,
  thinning = 2,
  dealing = 3,
  step_fault = 4,
  fit_bootstrap = 5,
  replay = 6,
  frailty = 7
};

struct StreamKey {
  std::array<std::uint32_t, 2> words{};
};

/// The key of the stream (seed, purpose, name). The name enters by its 64-bit FNV-1a hash.
StreamKey stream_key(std::uint64_t seed, StreamPurpose purpose, std::string_view name);

/// Four words for one counter value.
std::array<std::uint32_t, 4> random_block(const StreamKey& key, std::uint32_t c0, std::uint32_t c1, std::uint32_t c2,
                                          std::uint32_t c3);

}  // namespace toposim::faults
