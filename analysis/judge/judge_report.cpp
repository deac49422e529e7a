#include "analysis/judge/judge_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/number_text.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

std::string p_text(double p) {
  return p < 0.0005 ? "< 0.001" : fmt::format("{:.3f}", p);
}

std::string signed_percent(double share) {
  return fmt::format("{:+.2f}", 100 * share);
}

std::string losses(const Judgement& judgement, const JudgeOptions& options, const ReportStyle& style) {
  if (judgement.losses.empty()) return {};
  TableColumn name{{"", "study, faults"}, {}, 0}, steps{{"", "steps"}, {}, 2}, seeds{{"", "seeds"}, {}, 3},
      reference{{"", "against"}, {}, 0}, difference{{"differ-", "ence %"}, {}, 0}, error{{"+- s.e.", "%"}, {}, 0},
      margin{{"margin", "%"}, {}, 0}, p{{"", "p"}, {}, 1}, p_holm{{"p over", "all cells"}, {}, 0},
      verdict{{"", ""}, {}, 0};
  for (const LossJudgement& cell : judgement.losses) {
    name.cells.push_back(printable(cell.study + ", " + cell.faults, style));
    steps.cells.push_back(grouped(static_cast<double>(cell.steps)));
    seeds.cells.push_back(grouped(static_cast<double>(cell.seeds)));
    reference.cells.push_back(printable(cell.reference, style));
    difference.cells.push_back(signed_percent(cell.difference_share));
    error.cells.push_back(fmt::format("{:.2f}", 100 * cell.error_share));
    margin.cells.push_back(fmt::format("{:.2f}", 100 * cell.margin_share));
    p.cells.push_back(p_text(cell.p));
    p_holm.cells.push_back(p_text(cell.p_holm));
    verdict.cells.push_back(cell.diverged > 0                ? number_of(cell.diverged, "run") + " diverged"
                            : judgement.holds(cell, options) ? "holds"
                                                             : "not shown");
  }
  std::string out = bold("FINAL LOSS, paired by seed", style) + '\n';
  out += wrapped("  ",
                 fmt::format("not inferior: the difference is below its margin, max({} % of the loss, 2 standard "
                             "errors); against the one of {} that it is least sure of; p by Student's t, over all {} "
                             "by Holm",
                             number_text(100 * options.margin_share), fmt::join(options.references, ", "),
                             number_of(static_cast<std::int64_t>(judgement.losses.size()), "cell")),
                 style.columns);
  return out + '\n' +
         table({name, steps, seeds, reference, difference, error, margin, p, p_holm, verdict}, style, "  ") + '\n';
}

/// The worst step of each study and case.
std::string errors(const Judgement& judgement, const JudgeOptions& options, const ReportStyle& style) {
  if (judgement.errors.empty()) return {};
  TableColumn name{{"", "study, faults"}, {}, 0}, worst{{"worst", "ratio"}, {}, 0}, step{{"at", "step"}, {}, 0},
      best{{"best", "ratio"}, {}, 0}, best_step{{"at", "step"}, {}, 0}, draws{{"", "draws"}, {}, 1},
      verdict{{"", ""}, {}, 0};
  std::vector<const ErrorJudgement*> firsts;
  for (const ErrorJudgement& cell : judgement.errors)
    if (std::none_of(firsts.begin(), firsts.end(),
                     [&](const auto* f) { return f->study == cell.study && f->faults == cell.faults; }))
      firsts.push_back(&cell);
  for (const ErrorJudgement* first : firsts) {
    const ErrorJudgement *most = first, *least = first;
    for (const ErrorJudgement& cell : judgement.errors) {
      if (cell.study != first->study || cell.faults != first->faults) continue;
      if (!(cell.ratio <= most->ratio)) most = &cell;
      if (cell.ratio < least->ratio) least = &cell;
    }
    name.cells.push_back(printable(first->study + ", " + first->faults, style));
    worst.cells.push_back(figure(most->ratio));
    step.cells.push_back(grouped(static_cast<double>(most->step)));
    best.cells.push_back(figure(least->ratio));
    best_step.cells.push_back(grouped(static_cast<double>(least->step)));
    draws.cells.push_back(grouped(static_cast<double>(first->draws)));
    verdict.cells.push_back(judgement.holds(*most, options) ? "holds" : "does not hold");
  }
  std::string out = bold("ERROR OF THE STEP'S GRADIENT", style) + '\n';
  out += wrapped("  ",
                 fmt::format("mean over the draws of faults, over that of the better of {}; at most {}",
                             fmt::join(options.references, ", "), number_text(options.error_bound)),
                 style.columns);
  return out + '\n' + table({name, draws, worst, step, best, best_step, verdict}, style, "  ") + '\n';
}

}  // namespace

bool holds_everywhere(const Judgement& judgement, const JudgeOptions& options) {
  const auto holds = [&](const auto& cell) { return judgement.holds(cell, options); };
  return std::all_of(judgement.losses.begin(), judgement.losses.end(), holds) &&
         std::all_of(judgement.errors.begin(), judgement.errors.end(), holds);
}

std::string judge_report(const Judgement& judgement, const JudgeOptions& options, const ReportStyle& style) {
  const auto counted = [&](const auto& cells) {
    return fmt::format(
        "{} of {}",
        std::count_if(cells.begin(), cells.end(), [&](const auto& c) { return judgement.holds(c, options); }),
        cells.size());
  };
  std::string verdict = fmt::format("{} is ", printable(options.scheme, style));
  if (judgement.losses.empty())
    verdict += "not judged by its final loss, as there are no runs";
  else
    verdict += fmt::format("shown to be not inferior in final loss in {} cells", counted(judgement.losses));
  verdict += judgement.errors.empty()
                 ? "; no gradients were measured"
                 : fmt::format("; its gradient keeps the bound in {} points", counted(judgement.errors));
  return losses(judgement, options, style) + errors(judgement, options, style) +
         wrapped("", verdict + ".", style.columns);
}

}  // namespace toposim::analysis
