#pragma once
#include <functional>

namespace toposim::analysis {

/// What the place that a report goes to can show.
struct ReportStyle {
  int columns = 100;     ///< 80 to 100; no line is longer, but for file names
  bool unicode = false;  ///< else ASCII only
  bool colour = false;   ///< ANSI sequences
};

/// A terminal of `columns` columns, or a pipe or file. Unicode only on a terminal whose locale (LC_ALL, LC_CTYPE or
/// LANG, the first that is set) is UTF-8; colour only on a terminal that is not "dumb" and without NO_COLOR
/// (no-color.org: set and not empty). `environment` is std::getenv, or a test's.
ReportStyle style_for(bool terminal, int columns, const std::function<const char*(const char*)>& environment);

/// Of an open file descriptor, such as STDOUT_FILENO.
ReportStyle style_of(int file_descriptor);

}  // namespace toposim::analysis
