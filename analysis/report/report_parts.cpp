#include "analysis/report/report_parts.hpp"

#include <fmt/format.h>

#include "analysis/number_text.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {

std::string block(std::string_view heading, const std::string& text, const ReportStyle& style) {
  return text.empty() ? "" : '\n' + bold(wrapped("", heading, style.columns), style) + text;
}

std::string entry(std::string_view label, std::string_view text, const ReportStyle& style) {
  return text.empty() ? "" : wrapped("  " + pad_right(label, 10), text, style.columns);
}

std::string facts_in_words(const Facts& facts, const ReportStyle& style) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : facts)
    texts.push_back(kept_together(printable(words(name), style) + ' ' + printable(value, style)));
  return texts.empty() ? "" : wrapped("", joined(texts, "; "), style.columns);
}

std::string warnings_in_words(const std::vector<std::string>& warnings, const ReportStyle& style) {
  std::string out;
  for (const std::string& warning : warnings)
    out += yellow(wrapped("warning: ", printable(warning, style), style.columns), style);
  return out;
}

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  return fmt::format("{}", fmt::join(texts, between));
}

std::string in_words(const Named& named, const ReportStyle& style) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : named) texts.push_back(kept_together(printable(labelled(name, value), style)));
  return joined(texts, ", ");
}

}  // namespace toposim::analysis
