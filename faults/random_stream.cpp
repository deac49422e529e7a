#include "faults/random_stream.hpp"

#include <Random123/philox.h>

namespace toposim::faults {

namespace {

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

}  // namespace

StreamKey stream_key(std::uint64_t seed, StreamPurpose purpose, std::string_view name) {
  const std::uint64_t hash = fnv1a(name);
  const auto block =
      random_block({{low(seed), high(seed)}}, low(hash), high(hash), static_cast<std::uint32_t>(purpose), 0);
  return {{block[0], block[1]}};
}

std::array<std::uint32_t, 4> random_block(const StreamKey& key, std::uint32_t c0, std::uint32_t c1, std::uint32_t c2,
                                          std::uint32_t c3) {
  const r123::Philox4x32_R<10>::ctr_type counter = {{c0, c1, c2, c3}};
  const r123::Philox4x32_R<10>::key_type k = {{key.words[0], key.words[1]}};
  const auto out = r123::Philox4x32_R<10>()(counter, k);
  return {out[0], out[1], out[2], out[3]};
}

}  // namespace toposim::faults
