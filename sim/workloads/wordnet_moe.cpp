#include "sim/workloads/models.hpp"
#include "sim/workloads/switch_layer.hpp"
#include "sim/workloads/text_workload.hpp"

namespace toposim::workloads {

std::unique_ptr<Workload> make_wordnet_moe(const DataPaths& paths) {
  return std::make_unique<TextWorkload<SwitchLayer>>("wordnet-moe", read_wordnet(paths.wordnet));
}

}  // namespace toposim::workloads
