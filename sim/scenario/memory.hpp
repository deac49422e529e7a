#pragma once

namespace toposim::sim {

/// Bytes that this process could still use: the system's available memory, or what its control group leaves, whichever
/// is less. Infinite where the system does not say.
double available_memory_bytes();

}  // namespace toposim::sim
