#pragma once
// Small hand-made data files, and what readers say to them.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <functional>
#include <string>

#include "sim/workloads/draws.hpp"
#include "sim/workloads/error.hpp"

namespace toposim::workloads::testing {

inline std::string message_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const WorkloadError& error) {
    return error.what();
  }
  return "no error";
}

#define EXPECT_SAYS(statement, words)                                                                     \
  EXPECT_NE(::toposim::workloads::testing::message_of([&] { statement; }).find(words), std::string::npos) \
      << ::toposim::workloads::testing::message_of([&] { statement; })

inline std::string gzip(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) return "";
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// An IDX header: type byte, sizes.
inline std::string idx_header(char type, const std::vector<std::uint32_t>& sizes) {
  std::string header = {'\0', '\0', type, static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes)
    for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>(size >> shift & 255);
  return header;
}

inline std::string tiny_images(std::uint32_t count) {
  std::string bytes = idx_header(8, {count, 28, 28});
  for (std::uint32_t i = 0; i < count * 784; ++i) bytes += static_cast<char>(i * 31 % 256);
  return bytes;
}

inline std::string tiny_labels(std::uint32_t count) {
  std::string bytes = idx_header(8, {count});
  for (std::uint32_t i = 0; i < count; ++i) bytes += static_cast<char>(i % 10);
  return bytes;
}

/// One to three changes: a byte replaced, a bit turned, a piece cut out, doubled or cut off.
inline std::string mutated(std::string bytes, std::uint32_t number) {
  const auto word = Draws(99, DrawPurpose::evaluation_noise).words(0, number, 0);
  for (std::uint32_t change = 0; change <= word[3] % 3 && !bytes.empty(); ++change) {
    const auto w = Draws(99, DrawPurpose::evaluation_noise).words(0, number, change + 1);
    // Half of the changes go to the first bytes, where the structure is.
    const std::size_t range = w[3] % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 24);
    const std::size_t at = w[0] % range, length = 1 + w[2] % std::min<std::size_t>(bytes.size() - at, 40);
    switch (w[1] % 5) {
      case 0:
        bytes[at] = static_cast<char>(w[2] >> 8);
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << w[2] % 8));
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, length));
        break;
      default:
        bytes.resize(at);
        break;
    }
  }
  return bytes;
}

}  // namespace toposim::workloads::testing
