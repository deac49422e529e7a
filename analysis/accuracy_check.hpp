#pragma once
#include "analysis/accuracy_results.hpp"
#include "analysis/check.hpp"

namespace toposim::analysis {

/// Throws ResultsError at the first thing that is wrong: a column with more or fewer values than draws or seeds, cells
/// whose columns differ, a cell twice or of a scheme or fault case that is not declared, an infinity, a NaN outside the
/// columns of cells, a matrix that is not domains x domains, steps with other layer groups than the first, a loss curve
/// that is longer than its run, a final_loss_delta or final_loss_to_drop that does not follow from the losses (1e-9).
/// Everything that writes results calls it, so that nothing wrong reaches a file.
void check(const AccuracyResults& results);

}  // namespace toposim::analysis
