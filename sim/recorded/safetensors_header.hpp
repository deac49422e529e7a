#pragma once
// The header of a .safetensors file (https://huggingface.co/docs/safetensors): 8 bytes, little endian: its length; then
// a JSON object, padded with spaces: per tensor its dtype, shape and data_offsets, from the end of the header; and, if
// one likes, texts under __metadata__. Tensors cover the rest of the file without gaps or overlaps.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/recorded/element_type.hpp"
#include "sim/recorded/source_file.hpp"

namespace toposim::recorded {

struct SafetensorsEntry {
  std::string name;
  ElementType type = ElementType::fp32;
  std::vector<std::uint64_t> shape;
  std::uint64_t count = 1;           ///< numbers
  std::uint64_t begin = 0, end = 0;  ///< bytes, from the start of the data
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> tensors;  ///< as their numbers lie in the file
  std::uint64_t data_offset = 0;          ///< bytes from the start of the file
};

/// The format's own limit.
inline constexpr std::uint64_t safetensors_header_bytes_max = 100'000'000;

/// Of the JSON text that follows the first 8 bytes of a file of `file_bytes`. Throws RecordedError: `file`, tensor,
/// byte, what is wrong and what to do.
SafetensorsHeader parse_safetensors_header(std::string_view text, std::uint64_t file_bytes, const std::string& file);

/// Reads the front of a file and no numbers.
SafetensorsHeader read_safetensors_header(const SourceFile& file);

}  // namespace toposim::recorded
