#include "sim/workloads/models.hpp"
#include "sim/workloads/text_workload.hpp"

namespace toposim::workloads {

std::unique_ptr<Workload> make_wordnet_gpt(const DataPaths& paths) {
  return std::make_unique<TextWorkload<FeedForward>>("wordnet-gpt", read_wordnet(paths.wordnet));
}

}  // namespace toposim::workloads
