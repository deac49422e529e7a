#pragma once
#include <string>

#include "analysis/accuracy_results.hpp"
#include "analysis/report/report_style.hpp"

namespace toposim::analysis {

/// An accuracy study on the terminal, in the order in which one asks: what was run, does any scheme beat the mean over
/// the survivors, how far apart the gradients are to begin with, what each scheme makes of the missing ones, where
/// training ends, how many more steps it takes, what the numbers rest on. A pure function of its arguments. Throws
/// ResultsError as check().
std::string terminal_report(const AccuracyResults& results, const ReportStyle& style);

}  // namespace toposim::analysis
