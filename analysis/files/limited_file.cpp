#include "analysis/files/limited_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

namespace toposim::analysis {

void refuse_file(const std::string& file, const std::string& why) {
  throw ResultFileError(fmt::format("{}: {}", file, why));
}

std::string read_limited_file(const std::filesystem::path& file, const char* kind, std::size_t mebibytes_max) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse_file(file.string(), fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  std::vector<char> block(1 << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > mebibytes_max << 20)
      refuse_file(file.string(),
                  fmt::format("larger than {} MiB; a {} is far smaller, so this is probably another file",
                              mebibytes_max, kind));
  }
  if (in.bad())
    refuse_file(file.string(), fmt::format("cannot be read: {}; it has to be a file", std::strerror(errno)));
  return text;
}

}  // namespace toposim::analysis
