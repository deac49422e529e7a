#include "sim/recorded/safetensors_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/recorded/limits.hpp"
#include "sim/recorded/problems.hpp"
#include "sim/recorded/safetensors_json.hpp"

namespace toposim::recorded {
namespace {

/// Where a tensor is in the header, for messages.
class Places {
 public:
  Places(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  [[noreturn]] void refuse(const std::string& tensor, const std::string& what) const {
    const std::size_t at = text_.find('"' + tensor + '"');
    const std::string byte = at == std::string_view::npos ? "" : fmt::format("byte {}: ", 8 + at);
    throw RecordedError(fmt::format("{}: {}tensor '{}': {}", file_, byte, shown(tensor), what));
  }

 private:
  std::string_view text_;
  const std::string& file_;
};

SafetensorsEntry entry_of(RawTensor& raw, const Places& places) {
  const auto refuse = [&](const std::string& what) { places.refuse(raw.name, what); };
  SafetensorsEntry entry;
  if (raw.dtype == "F32") {
    entry.type = ElementType::fp32;
  } else if (raw.dtype == "F16") {
    entry.type = ElementType::fp16;
  } else if (raw.dtype == "BF16") {
    entry.type = ElementType::bf16;
  } else {
    refuse(fmt::format("dtype '{}'; F32, F16 and BF16 are read; convert it with tensor.float()", shown(raw.dtype)));
  }
  for (const std::uint64_t size : raw.shape) {
    if (size != 0 && entry.count > parameters_max / size) {
      refuse(fmt::format("its shape has more than {} numbers; write the file again", parameters_max));
    }
    entry.count *= size;
  }
  if (raw.offsets.size() != 2 || raw.offsets[0] > raw.offsets[1]) {
    refuse("data_offsets is not [begin, end]; write the file again");
  }
  entry.begin = raw.offsets[0];
  entry.end = raw.offsets[1];
  const std::uint64_t bytes = entry.count * element_bytes(entry.type);
  if (entry.end - entry.begin != bytes) {
    refuse(fmt::format("data_offsets span {} bytes, its {} numbers of {} take {}; write the file again",
                       entry.end - entry.begin, entry.count, raw.dtype, bytes));
  }
  entry.name = std::move(raw.name);
  entry.shape = std::move(raw.shape);
  return entry;
}

void check_names(const std::vector<RawTensor>& tensors, const Places& places) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const RawTensor& tensor : tensors) names.emplace_back(tensor.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) places.refuse(std::string(*twice), "appears twice; write the file again");
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text, std::uint64_t file_bytes, const std::string& file) {
  const Places places(text, file);
  std::vector<RawTensor> raw = parse_safetensors_json(text, file);
  check_names(raw, places);
  SafetensorsHeader header;
  header.data_offset = 8 + text.size();
  header.tensors.reserve(raw.size());
  for (RawTensor& tensor : raw) header.tensors.push_back(entry_of(tensor, places));
  std::ranges::sort(header.tensors, [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  std::uint64_t covered = 0;
  for (const SafetensorsEntry& tensor : header.tensors) {
    if (tensor.begin != covered) {
      places.refuse(tensor.name,
                    fmt::format("its numbers begin at {} of the data, those before it end at {}: {}; write "
                                "the file again",
                                tensor.begin, covered, tensor.begin < covered ? "an overlap" : "a gap"));
    }
    covered = tensor.end;
  }
  const std::uint64_t held = file_bytes - header.data_offset;
  if (held != covered) {
    throw RecordedError(fmt::format(
        "{}: byte {}: {} bytes of numbers where its header asks for {}; it was {}: write or copy it again", file,
        header.data_offset + std::min(held, covered), held, covered, held < covered ? "cut off" : "appended to"));
  }
  return header;
}

SafetensorsHeader read_safetensors_header(const SourceFile& file) {
  const auto refuse = [&](const std::string& what) {
    throw RecordedError(
        fmt::format("{}: byte 0: {}; is it a .safetensors file, and whole? write it again", file.path(), what));
  };
  std::array<char, 8> front{};
  if (file.bytes() < front.size()) refuse(fmt::format("{} bytes, no length of a header", file.bytes()));
  file.read(0, front.data(), front.size());
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < front.size(); ++i) {
    length |= static_cast<std::uint64_t>(static_cast<unsigned char>(front[i])) << (8 * i);
  }
  if (length > safetensors_header_bytes_max) {
    refuse(fmt::format("a header of {} bytes; the format allows {}", length, safetensors_header_bytes_max));
  }
  if (length > file.bytes() - front.size()) {
    refuse(fmt::format("a header of {} bytes in a file of {}", length, file.bytes()));
  }
  std::string text(length, '\0');
  file.read(front.size(), text.data(), length);
  return parse_safetensors_header(text, file.bytes(), file.path());
}

}  // namespace toposim::recorded
