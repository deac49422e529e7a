#pragma once
// tests/golden/kernel_hashes.txt: what every case is to hash to. No test framework here: kernels/gpu_check reads it
// too.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

namespace toposim::kernels::test {

inline std::string in_hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

/// Hash by name of case; empty where the file cannot be read.
inline std::map<std::string, std::string> golden_hashes(const std::string& file) {
  std::map<std::string, std::string> hashes;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.size() > 17 && line[0] != '#') hashes[line.substr(17)] = line.substr(0, 16);
  return hashes;
}

}  // namespace toposim::kernels::test
