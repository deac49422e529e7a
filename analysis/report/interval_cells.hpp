#pragma once
#include <string>
#include <vector>

#include "analysis/report/report_style.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {

/// A table's cells "92.93 ±0.12", shares in percent, with the digits that their intervals carry. Their decimal points
/// stand below each other, and so do the points of what follows the sign.
class IntervalCells {
 public:
  explicit IntervalCells(const ReportStyle& style) : sign_(style.unicode ? " \u00b1" : " +-") {}
  /// `signed_values`: with + or -.
  void add(const Summary<double>& share, bool signed_values);
  void add_dash();
  std::vector<std::string> cells() &&;

 private:
  std::string sign_;
  std::vector<std::string> values_, widths_;
};

}  // namespace toposim::analysis
