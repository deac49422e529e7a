#pragma once
// What a scheme's numbers say, in one sentence that claims no more than its intervals allow.
#include <cstdint>
#include <string>

#include "analysis/report/report_style.hpp"
#include "analysis/results.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {

/// better, worse: the 95 % interval of the paired difference leaves zero out. identical: the same in every run.
/// undecided: it holds zero. unknown: fewer than two runs.
enum class Finding : std::uint8_t { unknown, identical, undecided, better, worse };
Finding finding(const Summary<double>& difference);

/// "drop_replica: useful 98.12 % of the time; +5.19 points of ETTR over checkpoint_restart (95 % interval
/// +5.10..+5.28), but ...". The first scheme stands alone; the others are compared with the first and, from the third
/// on, with the best between. Samples kept are said where they are 0.1 points or more below the time in use. Where
/// sample goodput or progress, assumed or measured, leads to another conclusion, that is said too. Empty where the
/// scheme has no metric `ettr` or no replica.
std::string verdict(const Results& results, std::size_t scheme, const ReportStyle& style);

/// A share as percent with the digits that its interval carries; `sign`: with + or -.
std::string percent(double share, double half_width, bool sign = false);

/// "+5.10..+5.28", in percent. A bound that is not zero does not read as zero: "-0.26..-0.00070" leaves zero out.
std::string percent_range(const Interval& interval, bool sign);

}  // namespace toposim::analysis
