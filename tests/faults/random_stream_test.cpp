#include "faults/random_stream.hpp"

#include <gtest/gtest.h>

#include <set>

namespace toposim::faults {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The known answers of Philox 4x32-10 published with Random123 (tests/kat_vectors).
TEST(RandomStream, PublishedPhiloxVectors) {
  EXPECT_EQ(random_block({{0, 0}}, 0, 0, 0, 0), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(random_block({{ones, ones}}, ones, ones, ones, ones),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(random_block({{0xa4093822, 0x299f31d0}}, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, KeysDifferBySeedPurposeAndName) {
  std::set<std::array<std::uint32_t, 2>> keys;
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32})
    for (const StreamPurpose purpose : {StreamPurpose::fault_class, StreamPurpose::thinning})
      for (const char* name : {"", "gpu", "gpv"}) keys.insert(stream_key(seed, purpose, name).words);
  EXPECT_EQ(keys.size(), 3u * 2 * 3);
}

}  // namespace
}  // namespace toposim::faults
