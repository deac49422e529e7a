#include "analysis/files/json_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

namespace toposim::analysis {

using nlohmann::json;

void refuse_file(const std::string& file, const std::string& why) {
  throw ResultFileError(fmt::format("{}: {}", file, why));
}

std::string read_json_file(const std::filesystem::path& file, const JsonFileKind& kind) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse_file(file.string(), fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  std::vector<char> block(1 << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kind.mebibytes_max << 20)
      refuse_file(file.string(),
                  fmt::format("larger than {} MiB; a {} is far smaller, so this is probably another file",
                              kind.mebibytes_max, kind.name));
  }
  if (in.bad())
    refuse_file(file.string(), fmt::format("cannot be read: {}; it has to be a file", std::strerror(errno)));
  return text;
}

json parse_json_file(std::string_view text, const std::string& file, const JsonFileKind& kind) {
  std::size_t values = 0;
  const auto watch = [&](int depth, json::parse_event_t, json&) {
    if (depth > kind.depth_max)
      refuse_file(file, fmt::format("nested deeper than {} levels; no {}", kind.depth_max, kind.name));
    if (++values > kind.values_max)
      refuse_file(file, fmt::format("more than {} values; no {}", kind.values_max, kind.name));
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::parse_error& error) {
    refuse_file(file, fmt::format("no JSON from byte {} on; {} is written whole or not at all, so it was changed or "
                                  "cut since",
                                  error.byte, kind.name));
  } catch (const json::out_of_range&) {
    refuse_file(file, fmt::format("a number in it is too large for a double; no {}", kind.name));
  }
}

}  // namespace toposim::analysis
