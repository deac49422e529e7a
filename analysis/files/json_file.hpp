#pragma once
// JSON of ours read back: within limits, and with an error that says what to do.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace toposim::analysis {

/// A file that is not there or not what it should be. The message says which, what is wrong and what to do.
class ResultFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// file + ": " + why.
[[noreturn]] void refuse_file(const std::string& file, const std::string& why);

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
