#pragma once
#include <string>

#include "analysis/judge/judgement.hpp"
#include "analysis/report/report_style.hpp"

namespace toposim::analysis {

/// What is asked, every cell, and the verdict, last.
std::string judge_report(const Judgement& judgement, const JudgeOptions& options, const ReportStyle& style);

/// Whether every cell of both kinds holds.
bool holds_everywhere(const Judgement& judgement, const JudgeOptions& options);

}  // namespace toposim::analysis
