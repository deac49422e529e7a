#pragma once
// Files of ours read back: within a size limit, and with an error that says what to do.
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace toposim::analysis {

/// A file that is not there or not what it should be. The message says which, what is wrong and what to do.
class ResultFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// file + ": " + why.
[[noreturn]] void refuse_file(const std::string& file, const std::string& why);

/// All of it. kind: what it should be, for the message. Throws ResultFileError where it cannot be read or is larger.
std::string read_limited_file(const std::filesystem::path& file, const char* kind, std::size_t mebibytes_max);

}  // namespace toposim::analysis
