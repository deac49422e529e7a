#pragma once
// .npy files made by hand, byte by byte.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::topology {

/// A header of version major.0 around a dictionary, padded with spaces to 64 bytes and a newline, as NumPy does.
inline std::string npy_front(int major, const std::string& dictionary) {
  const std::size_t prefix = major == 1 ? 10 : 12;
  std::string text = dictionary;
  while ((prefix + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string front("\x93NUMPY", 6);
  front += static_cast<char>(major);
  front += '\0';
  for (std::size_t i = 0; i < prefix - 8; ++i) front += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return front + text;
}

inline std::string npy_dictionary(const std::string& descr, std::uint64_t rows, std::uint64_t dims,
                                  bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
         std::to_string(rows) + ", " + std::to_string(dims) + "), }";
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// A file that is gone when this is.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes) {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("toposim_semantic_" + std::to_string(::getpid()) + "_" + std::to_string(number++) + ".npy");
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace toposim::topology
