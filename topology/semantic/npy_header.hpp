#pragma once
// The header of a .npy file: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, versions 1.0 to
// 3.0: magic "\x93NUMPY", major, minor, length (2 bytes little endian in 1.0, else 4), then a Python dictionary with
// the keys descr, fortran_order and shape.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::topology {

struct NpyHeader {
  std::string descr;           ///< such as "<f4"
  bool fortran_order = false;  ///< first index varies fastest
  std::vector<std::uint64_t> shape;
  std::uint64_t data_offset = 0;  ///< bytes from the start of the file to the first number
};

/// A header beyond this is refused before it is read; NumPy itself refuses beyond 10,000 unless told otherwise.
inline constexpr std::uint64_t npy_header_bytes_max = 65'536;
/// Enough of the front of a file to hold any header that is accepted.
inline constexpr std::uint64_t npy_front_bytes_max = 12 + npy_header_bytes_max;

/// Reads the front of a file (at most npy_front_bytes_max bytes are needed). Throws TopologyError: `file`, byte offset,
/// what is wrong and `advice`.
NpyHeader read_npy_header(std::string_view front, const std::string& file, std::string_view advice);

}  // namespace toposim::topology
