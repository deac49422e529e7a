// Where the time went: a row per bucket, a column per scheme, as many columns beside each other as fit.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/check.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/report_sections.hpp"
#include "analysis/report/text_layout.hpp"
#include "analysis/statistics.hpp"
#include "analysis/time_share.hpp"

namespace toposim::analysis {
namespace {

constexpr int column_width = 12;

std::string percent_text(double share) {
  if (share == 0) return "-";
  return 100 * share < 0.005 ? "<0.01" : fmt::format("{:.2f}", 100 * share);
}

}  // namespace

std::string where_the_time_went(const Results& results, const ReportStyle& style) {
  std::vector<Named> shares;
  for (const SchemeResults& scheme : results.schemes) shares.push_back(time_shares(scheme));
  if (shares.empty() || shares.front().empty()) return {};

  TableColumn buckets;
  std::vector<TableColumn> schemes(shares.size());
  for (std::size_t b = 0; b < shares.front().size(); ++b) {
    const auto used = [&](const Named& of_scheme) { return of_scheme.at(b).second != 0; };
    if (std::none_of(shares.begin(), shares.end(), used)) continue;
    buckets.cells.push_back(printable(words(shares.front()[b].first), style));
    for (std::size_t s = 0; s < schemes.size(); ++s) schemes[s].cells.push_back(percent_text(shares[s].at(b).second));
  }
  buckets.cells.push_back("mean wall time");
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    schemes[s].heading = broken_name(results.schemes[s].name, column_width, style);
    schemes[s].cells.push_back(human_duration(summarise(*find_metric(results.schemes[s], "wall_s")).mean));
  }
  return table_in_parts(buckets, schemes, style, "  ");
}

}  // namespace toposim::analysis
