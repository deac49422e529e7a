#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::recorded {

/// A tensor as the header words it; nothing is checked but the kinds of values.
struct RawTensor {
  std::string name, dtype;
  std::vector<std::uint64_t> shape, offsets;
};

/// The JSON text of a .safetensors header, which begins at byte 8 of `file`. Memory is of the order of the text. Throws
/// RecordedError: `file`, byte, what is wrong and what to do. Names may repeat.
std::vector<RawTensor> parse_safetensors_json(std::string_view text, const std::string& file);

}  // namespace toposim::recorded
