#include "sim/recorded/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "sim/recorded/error.hpp"
#include "topology/error.hpp"
#include "topology/semantic/npy_header.hpp"

namespace toposim::recorded {
namespace {

ElementType type_of(const std::string& descr, const std::string& path) {
  if (descr == "<f4") return ElementType::fp32;
  if (descr == "<f2") return ElementType::fp16;
  if (descr == "<V2" || descr == "|V2") return ElementType::bf16;
  const char* advice = descr == "<u2" || descr == "<i2" ? "bf16 as 16-bit integers: save array.view('V2')"
                                                        : "convert with array.astype('<f4')";
  throw RecordedError(fmt::format("{}: byte 10: numbers of type '{}'; '<f4', '<f2' and '<V2' (bf16) are read; {}", path,
                                  descr, advice));
}

}  // namespace

NpyArray read_npy_array(const SourceFile& file) {
  std::string front(std::min(file.bytes(), topology::npy_front_bytes_max), '\0');
  file.read(0, front.data(), front.size());
  topology::NpyHeader header;
  try {
    header = topology::read_npy_header(front, file.path(),
                                       "write it with numpy.save of a float32 or float16 array in C order");
  } catch (const topology::TopologyError& error) {
    throw RecordedError(error.what());
  }
  NpyArray array{type_of(header.descr, file.path()), std::move(header.shape), header.data_offset};
  const auto longer = std::ranges::count_if(array.shape, [](std::uint64_t size) { return size > 1; });
  if (header.fortran_order && longer > 1) {
    throw RecordedError(fmt::format(
        "{}: byte 10: Fortran order: a worker's numbers are not side by side; save numpy.ascontiguousarray(array)",
        file.path()));
  }
  std::uint64_t bytes = element_bytes(array.type);
  for (const std::uint64_t size : array.shape) {
    if (size != 0 && bytes > std::numeric_limits<std::int64_t>::max() / size) {
      throw RecordedError(
          fmt::format("{}: byte 10: its shape asks for more than 2^63 bytes; write it again", file.path()));
    }
    bytes *= size;
  }
  const std::uint64_t held = file.bytes() - array.data_offset;
  if (held != bytes) {
    throw RecordedError(fmt::format(
        "{}: byte {}: {} bytes of numbers where its shape asks for {}; it was {}: write it again", file.path(),
        array.data_offset + std::min(held, bytes), held, bytes, held < bytes ? "cut off" : "appended to"));
  }
  return array;
}

}  // namespace toposim::recorded
