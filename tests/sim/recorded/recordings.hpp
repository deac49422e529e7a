#pragma once
// Recordings made by hand, byte by byte.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "npy_files.hpp"
#include "sim/recorded/recorded_gradients.hpp"

namespace toposim::recorded {

using topology::bytes_of;

/// A folder that is gone when this is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("toposim_recorded_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directory(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string path(const std::string& name = "") const {
    return name.empty() ? path_.string() : (path_ / name).string();
  }
  void write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::filesystem::remove(path_ / name);  // file systems flush what is written over, but not what is new
    std::ofstream(path_ / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::filesystem::path path_;
};

/// 8 bytes of length, the header, the numbers.
inline std::string safetensors(const std::string& header, const std::string& data) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}

/// shape: such as "3, 2" or "6,"
inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data) {
  return topology::npy_front(1, "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }") +
         data;
}

inline std::vector<float> row(const RecordedGradients& gradients, std::size_t step, std::uint64_t worker) {
  std::vector<float> out(gradients.parameters());
  gradients.read(step, worker, out);
  return out;
}

/// What opening the folder and reading all of it says, without the folder's name; "sound" where it is fine.
inline std::string refusal(const TemporaryFolder& folder) {
  std::string message = "sound";
  try {
    const RecordedGradients gradients = RecordedGradients::open(folder.path());
    for (std::size_t step = 0; step < gradients.steps().size(); ++step) {
      for (std::uint64_t worker = 0; worker < gradients.workers(); ++worker) row(gradients, step, worker);
    }
  } catch (const RecordedError& error) {
    message = error.what();
  }
  const std::string name = folder.path() + "/";
  for (std::size_t at = message.find(name); at != std::string::npos; at = message.find(name))
    message.erase(at, name.size());
  return message;
}

}  // namespace toposim::recorded
