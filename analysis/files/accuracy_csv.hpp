#pragma once
// The tables of an accuracy study, quoted as csv_writer.hpp says. A value that does not exist is an empty field.
#include <string>

#include "analysis/accuracy_results.hpp"

namespace toposim::analysis {

/// One line per draw of faults: faults, scheme, step, draw, then every column.
std::string gradient_csv(const AccuracyResults& results);

/// One line per training run: faults, scheme, steps, seed, then every column.
std::string runs_csv(const AccuracyResults& results);

/// One line per step of every curve: faults, scheme, steps (of the run), seed, step, training_loss, held_out_loss. Both
/// losses are of the parameters after `step` steps, so the last line of a run has no training loss.
std::string losses_csv(const AccuracyResults& results);

}  // namespace toposim::analysis
