#pragma once
// Is a scheme at least as good as the better of two others, in every case? The question that a new estimator has to
// answer before it may be anybody's default.
//
// Final loss: paired by seed, by a non-inferiority test (Wellek, "Testing Statistical Hypotheses of Equivalence and
// Noninferiority", 2010, section 5.1). With the difference d = loss - loss of a reference, the margin is
//   max(margin_share x mean loss of the reference, 2 standard errors of d),
// and p = P(T >= (margin - mean d) / standard error), T of Student's t with n - 1 degrees of freedom. Against the
// better of several references p is the largest (to be no worse than the better is to be no worse than each), so that
// choosing the better one after the fact gains nothing. Over all cells Holm's step-down correction (Scand. J. Statist.
// 6, 1979).
//
// Gradients: the mean over the draws of faults of the error of the step's gradient over drop's, over the least of those
// means among the references.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/files/csv_file.hpp"

namespace toposim::analysis {

struct JudgeOptions {
  std::string scheme;
  std::vector<std::string> references{"drop", "literal"};
  double margin_share = 0.003;
  double error_bound = 1.02;
  double significance = 0.05;
};

/// One study, one case of faults, one run length.
struct LossJudgement {
  std::string study, faults;
  std::uint64_t steps = 0;
  std::int64_t seeds = 0, diverged = 0;  ///< diverged: seeds whose run of the scheme has no final loss
  std::string reference;                 ///< the one with the largest p
  double difference_share = 0;           ///< mean d over the reference's mean loss
  double error_share = 0;                ///< standard error of d, over the same
  double margin_share = 0;
  double p = 1, p_holm = 1;
};

/// One study, one case of faults, one measured step.
struct ErrorJudgement {
  std::string study, faults;
  std::uint64_t step = 0;
  std::int64_t draws = 0;
  std::string reference;  ///< the one with the least error
  double ratio = 0;       ///< mean error over the reference's
};

struct Judgement {
  std::vector<LossJudgement> losses;
  std::vector<ErrorJudgement> errors;
  bool holds(const LossJudgement& cell, const JudgeOptions& options) const {
    return cell.p_holm <= options.significance;
  }
  bool holds(const ErrorJudgement& cell, const JudgeOptions& options) const {
    return cell.ratio <= options.error_bound;
  }
};

/// Adds the cells of a study's runs.csv (faults, scheme, steps, seed, final_loss). A table without a row adds none.
/// Throws ResultFileError where the scheme or a reference is not among the runs, or has a single seed.
void judge_runs(const std::string& study, const CsvTable& runs, const JudgeOptions& options, Judgement& judgement);

/// Adds the cells of its gradient.csv (faults, scheme, step, draw, global_error_ratio).
void judge_gradients(const std::string& study, const CsvTable& gradient, const JudgeOptions& options,
                     Judgement& judgement);

/// Both, of a folder of results, named after the folder; a study may have measured gradients only, or trained only.
/// Throws ResultFileError, also where it did neither.
void judge_study(const std::filesystem::path& folder, const JudgeOptions& options, Judgement& judgement);

/// Sets p_holm of all cells; after the last study.
void correct_for_many(Judgement& judgement);

}  // namespace toposim::analysis
