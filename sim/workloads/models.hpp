#pragma once
// The workloads there are. Another one: a file of its own, a line here, a line in the table of make_workload.cpp.
#include <memory>

#include "sim/workloads/workload.hpp"

namespace toposim::workloads {

std::unique_ptr<Workload> make_fashion_mlp(const DataPaths& paths);
std::unique_ptr<Workload> make_fashion_diffusion(const DataPaths& paths);
std::unique_ptr<Workload> make_wordnet_gpt(const DataPaths& paths);
std::unique_ptr<Workload> make_wordnet_moe(const DataPaths& paths);

}  // namespace toposim::workloads
