#pragma once
// What the run itself costs: CPU time and memory of this process.
#include <cstdint>

namespace toposim::sim {

double cpu_seconds();              ///< user and system, all threads so far
double wall_seconds();             ///< since the process started its clock: differences mean something
std::int64_t peak_memory_bytes();  ///< largest resident set so far

}  // namespace toposim::sim
