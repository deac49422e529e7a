#pragma once
#include <string>
#include <utility>
#include <vector>

namespace toposim::sim {

/// What --version prints and results.json records: toposim, commit, SimGrid, CUDA, vector ISA.
std::vector<std::pair<std::string, std::string>> version_facts();
std::string version_text();

}  // namespace toposim::sim
