#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "temporary_directory.hpp"

namespace toposim::analysis {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The whole text against tests/golden/NAME; TOPOSIM_UPDATE_GOLDEN=1 rewrites the file, to be reviewed as a diff.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(TOPOSIM_SOURCE_DIR) + "/tests/golden/" + name;
  const char* update = std::getenv("TOPOSIM_UPDATE_GOLDEN");
  if (update && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  const std::string golden = contents_of(path);
  if (text == golden) return;
  const std::vector<std::string> is = lines_of(text), was = lines_of(golden);
  std::size_t line = 0;
  while (line < is.size() && line < was.size() && is[line] == was[line]) ++line;
  const auto shown = [&](const std::vector<std::string>& lines) { return line < lines.size() ? lines[line] : "(end)"; };
  ADD_FAILURE() << path << ":" << line + 1 << " differs\n  golden: " << shown(was) << "\n  now:    " << shown(is)
                << "\nTOPOSIM_UPDATE_GOLDEN=1 rewrites the file";
}

/// Without the sequences that ReportStyle::colour adds.
inline std::string without_colours(std::string text) {
  for (std::size_t escape; (escape = text.find("\x1b[")) != std::string::npos;)
    text.erase(escape, text.find('m', escape) - escape + 1);
  return text;
}

}  // namespace toposim::analysis
