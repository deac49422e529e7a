#include "analysis/files/json_file.hpp"

#include <fmt/format.h>

namespace toposim::analysis {

using nlohmann::json;

std::string read_json_file(const std::filesystem::path& file, const JsonFileKind& kind) {
  return read_limited_file(file, kind.name, kind.mebibytes_max);
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
