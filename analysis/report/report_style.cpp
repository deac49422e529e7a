#include "analysis/report/report_style.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace toposim::analysis {
namespace {

std::string text(const char* value) {
  return value ? value : "";
}

bool utf8_locale(const std::function<const char*(const char*)>& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = text(environment(name));
    if (locale.empty()) continue;
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

ReportStyle style_for(bool terminal, int columns, const std::function<const char*(const char*)>& environment) {
  ReportStyle style;
  if (!terminal) return style;
  style.columns = std::clamp(columns, 80, 100);
  style.unicode = utf8_locale(environment);
  style.colour = text(environment("NO_COLOR")).empty() && text(environment("TERM")) != "dumb";
  return style;
}

ReportStyle style_of(int file_descriptor) {
  winsize size{};
  const int columns = ::ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  return style_for(::isatty(file_descriptor) == 1, columns, [](const char* name) { return std::getenv(name); });
}

}  // namespace toposim::analysis
