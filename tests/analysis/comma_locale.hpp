#pragma once
#include <locale>
#include <string>

namespace toposim::analysis {

/// A locale as in much of Europe, which need not be installed: 1.234,5.
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace toposim::analysis
