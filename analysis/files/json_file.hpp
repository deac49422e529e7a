#pragma once
// JSON of ours read back, within limits.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "analysis/files/limited_file.hpp"

namespace toposim::analysis {

/// A kind of file, and what one of the largest size could otherwise hold more of than fits in memory.
struct JsonFileKind {
  const char* name;  ///< "results.json"
  std::size_t mebibytes_max;
  int depth_max;
  std::size_t values_max;
};

/// All of the file. Throws ResultFileError where it cannot be read or is larger.
std::string read_json_file(const std::filesystem::path& file, const JsonFileKind& kind);

/// Throws ResultFileError where it is no JSON, or beyond the limits. file: for messages.
nlohmann::json parse_json_file(std::string_view text, const std::string& file, const JsonFileKind& kind);

}  // namespace toposim::analysis
