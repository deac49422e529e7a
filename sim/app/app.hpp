#pragma once

namespace toposim::sim {

/// Exit status of `toposim`.
inline constexpr int exit_done = 0, exit_failed = 1, exit_bad_input = 2, exit_interrupted = 130;

/// The whole program but for main. Writes to stdout (the answer) and stderr (progress, errors).
int run_app(int argc, char** argv);

}  // namespace toposim::sim
