#pragma once
// A .npy file of fp32 numbers, as NumPy writes it.
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace toposim::accuracy::test {

/// value(row, k) for rows x dims.
template <class Value>
void write_npy(const std::string& path, std::size_t rows, std::size_t dims, const Value& value) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(dims) + "), }";
  header.resize(128 - 10 - 1, ' ');
  header += '\n';
  std::ofstream out(path, std::ios::binary);
  out.write("\x93NUMPY\x01\x00", 8);
  const char size[2] = {static_cast<char>(header.size()), 0};
  out.write(size, 2);
  out << header;
  std::vector<float> row(dims);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < dims; ++k) row[k] = value(r, k);
    out.write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(4 * dims));
  }
}

}  // namespace toposim::accuracy::test
