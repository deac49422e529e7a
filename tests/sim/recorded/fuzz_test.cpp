#include <gtest/gtest.h>

#include "recordings.hpp"

namespace toposim::recorded {
namespace {

/// Random numbers that are the same everywhere.
class Picker {
 public:
  std::size_t operator()(std::size_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % below;
  }

 private:
  std::uint64_t state_ = 1;
};

constexpr std::string_view tokens[] = {"{",
                                       "}",
                                       "[",
                                       "]",
                                       "\"",
                                       ":",
                                       ",",
                                       "-1",
                                       "0",
                                       "1e999",
                                       "18446744073709551615",
                                       "99999999999999999999",
                                       "null",
                                       "true",
                                       "\\u0000",
                                       "\xff",
                                       "__metadata__",
                                       "data_offsets",
                                       "worker.0",
                                       "..",
                                       "/",
                                       "(",
                                       ")",
                                       "'",
                                       "False"};

std::string mutated(std::string bytes, Picker& pick) {
  if (pick(2) == 0) {
    bytes[pick(bytes.size())] ^= static_cast<char>(1 << pick(8));
    return bytes;
  }
  for (std::size_t changes = 1 + pick(3); changes > 0; --changes) {
    const std::size_t at = pick(bytes.size() + 1);
    switch (pick(5)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.insert(at, tokens[pick(std::size(tokens))]);
        break;
      case 2:
        if (at < bytes.size()) bytes[at] = static_cast<char>(pick(256));
        break;
      case 3:
        bytes.erase(at, 1 + pick(8));
        break;
      default:
        bytes.insert(at, bytes.substr(pick(bytes.size() + 1), pick(40)));
    }
  }
  return bytes;
}

// A recording with each of its files changed in turn: read in full or refused in words, nothing else. Changes of fixed
// seeds; both outcomes have to occur, and often.
TEST(RecordedFuzz, AnyBytes) {
  const std::vector<float> six{1, 2, 3, 4, 5, 6}, three{1, 2, 3};
  const std::pair<std::string, std::string> files[] = {
      {"index.json", R"({"schema_version":1,"workers":2,"batch":4,"domains":[0,1],"embeddings":"e.npy","steps":[)"
                     R"({"step":1,"file":"one.safetensors"},{"step":2,"files":["a.safetensors","b.safetensors"]}],)"
                     R"("groups":[{"name":"x","tensors":["w*"]},{"name":"y","tensors":["b"]}]})"},
      {"one.safetensors", safetensors(R"({"worker.0/w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                      R"("worker.0/b":{"dtype":"F32","shape":[],"data_offsets":[8,12]},)"
                                      R"("worker.1/b":{"dtype":"F32","shape":[],"data_offsets":[12,16]},)"
                                      R"("worker.1/w":{"dtype":"BF16","shape":[2],"data_offsets":[16,20]}})",
                                      bytes_of(six).substr(0, 20))},
      {"a.safetensors",
       safetensors(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                   R"("b":{"dtype":"F32","shape":[],"data_offsets":[8,12]},"__metadata__":{"k":"v"}} )",
                   bytes_of(three))},
      {"e.npy", npy("<f4", "2, 3", bytes_of(six))}};
  const std::pair<std::string, std::string> flat[] = {
      {"index.json", R"({"schema_version":1,"workers":2,"domain_size":2,"steps":[{"step":1,"file":"s.npy"},)"
                     R"({"step":2,"files":["t.npy","u.npy"]}],"groups":[{"name":"x","parameters":3}]})"},
      {"s.npy", npy("<f4", "2, 3", bytes_of(six))},
      {"t.npy", npy("<V2", "3,", bytes_of(six).substr(0, 6))}};

  Picker pick;
  std::size_t sound = 0, refused = 0;
  const auto attack = [&](const TemporaryFolder& folder, const auto& all, std::size_t rounds) {
    for (const auto& [name, bytes] : all) folder.write(name, bytes);
    ASSERT_EQ(refusal(folder), "sound");
    for (const auto& [name, bytes] : all) {
      for (std::size_t round = 0; round < rounds; ++round) {
        folder.write(name, mutated(bytes, pick));
        const std::string said = refusal(folder);
        ++(said == "sound" ? sound : refused);
        ASSERT_FALSE(said.empty());
        ASSERT_LT(said.size(), 20'000u);
      }
      folder.write(name, bytes);
    }
  };
  const TemporaryFolder named, rows;
  named.write("b.safetensors", files[2].second);
  rows.write("u.npy", npy("<f4", "3,", bytes_of(three)));
  attack(named, files, 1000);
  attack(rows, flat, 1000);
  EXPECT_GT(sound, 200u);
  EXPECT_GT(refused, 3000u);
}

}  // namespace
}  // namespace toposim::recorded
