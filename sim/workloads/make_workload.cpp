#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "sim/workloads/error.hpp"
#include "sim/workloads/models.hpp"

namespace toposim::workloads {

namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Workload> (*make)(const DataPaths&);
};

constexpr std::array table = {
    Entry{"fashion-mlp", &make_fashion_mlp},
    Entry{"fashion-diffusion", &make_fashion_diffusion},
    Entry{"wordnet-gpt", &make_wordnet_gpt},
    Entry{"wordnet-moe", &make_wordnet_moe},
};

}  // namespace

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const Entry& entry : table) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Workload> make_workload(std::string_view name, const DataPaths& paths) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    throw WorkloadError("training needs a processor with AVX2 and FMA (x86-64-v3), which this one lacks");
  for (const Entry& entry : table)
    if (entry.name == name) return entry.make(paths);
  throw WorkloadError(fmt::format("unknown workload '{}'; there are {}", name, fmt::join(workload_names(), ", ")));
}

}  // namespace toposim::workloads
