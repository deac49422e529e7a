#pragma once
// From a file to clean UTF-8 text with \n line ends, or to the reason why not. Nothing here knows YAML, except that it
// refuses tabs in the indentation, which YAML does and its parsers report badly.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/problem.hpp"

namespace toposim::sim {

inline constexpr std::size_t largest_text_bytes = 1 << 20;

/// Reads at most largest_text_bytes + 1 bytes, whatever the file is.
std::optional<std::string> load_file(const std::string& file, Problems& problems);

/// Drops a byte order mark, turns CRLF and CR into \n, and refuses what is not UTF-8 text.
std::optional<std::string> clean_text(std::string_view bytes, int source, Problems& problems);

}  // namespace toposim::sim
