#pragma once
// Whether a scheme beats the mean over the survivors, in words that claim no more than the intervals allow.
#include <string>
#include <vector>

#include "analysis/accuracy_results.hpp"
#include "analysis/report/report_style.hpp"
#include "analysis/report/verdict.hpp"

namespace toposim::analysis {

/// One scheme under one fault case against drop.
struct AgainstDrop {
  std::string scheme;
  Finding finding = Finding::unknown;
  std::string text;  ///< "+9.8 % (+8.1..+11.5)"
};

/// By the final loss of the longest runs, paired by seed; where nothing was trained, by the error of the gradients of
/// the last measured step, paired by draw. A scheme that diverges where drop does not is worse, one that does not where
/// drop does is better, whatever the other runs say. Where the gradients tell another story than the loss, the text
/// says so.
std::vector<AgainstDrop> against_drop(const AccuracyResults& results, const std::string& faults);

/// A paragraph per fault case: who is better than drop, who is worse, who cannot be told from it, what drop itself
/// costs.
std::string accuracy_verdict(const AccuracyResults& results, const ReportStyle& style);
/// What the verdict goes by: "Final loss after 400 steps, 5 seeds, 95 % intervals". Empty where there is nothing to go
/// by.
std::string verdict_basis(const AccuracyResults& results);

}  // namespace toposim::analysis
