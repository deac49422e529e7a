#include "analysis/report/interval_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/number_text.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

std::string half_width_text(double points) {
  if (points > 0 && points < 5e-6) return "<0.00001";
  return points == 0 ? "0" : fmt::format("{:.{}f}", points, few_decimals_for(points));
}

}  // namespace

void IntervalCells::add(const Summary<double>& share, bool signed_values) {
  const double points = 100 * half_width(share);
  const std::string value = grouped(100 * share.mean, few_decimals_for(points));
  values_.push_back(signed_values && !value.starts_with('-') ? "+" + value : value);
  widths_.push_back(share.interval ? half_width_text(points) : "");
}

void IntervalCells::add_dash() {
  values_.push_back("-");
  widths_.push_back("");
}

std::vector<std::string> IntervalCells::cells() && {
  align_decimals(values_);
  align_decimals(widths_);
  std::size_t widest = 0;
  for (const std::string& width : widths_) widest = std::max(widest, width.size());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const bool blank = widths_[i].find_first_not_of(' ') == std::string::npos;
    const std::string tail = blank ? "" : sign_ + widths_[i];
    if (widest > 0) values_[i] += pad_right(tail, static_cast<int>(widest) + display_width(sign_));
  }
  return std::move(values_);
}

}  // namespace toposim::analysis
