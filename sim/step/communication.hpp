#pragma once
// What a step sends: for each kind of parallelism, which GPUs exchange how many bytes how often.
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/collectives/collective.hpp"
#include "sim/step/job_spec.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

/// How a missing replica changes the groups of an exchange.
enum class Membership : std::uint8_t {
  within_replica,  ///< its groups are gone, the others whole
  all_replicas,    ///< every group loses as many members
  some_replicas,   ///< some groups shrink
};

/// One collective, run by all its groups at once, `times` in the unit the function states.
struct Exchange {
  CollectiveRequest request;
  double times = 0;
  Membership membership{};
};

/// Tensor parallelism, per micro-batch and stage: 4 all-reduces of s b h 2-byte values per layer, two forward and two
/// backward (arXiv 1909.08053, section 3), 6 with full recomputation; with sequence parallelism each is a
/// reduce-scatter and an all-gather (arXiv 2205.05198, section 4.2.2; the extra backward all-gather overlaps with a
/// matrix product). The few of embedding and logits are left out. s is the sequence over context ranks. Empty for one
/// tensor rank.
std::vector<Exchange> tensor_exchanges(const JobSpec& job, const topology::Placement& placement);

/// Ring attention (arXiv 2310.01889), per micro-batch and stage: keys and values pass every context rank once forward,
/// and backward once more with their gradients beside them: three all-gathers' worth per layer.
std::vector<Exchange> context_exchanges(const JobSpec& job, const topology::Placement& placement);

/// Expert parallelism, per micro-batch and stage: dispatch and combine, forward and backward, 4 all-to-alls per expert
/// layer of each token's hidden vector, 2 bytes a value, once per expert it visits (arXiv 2006.16668, section 3).
/// Expert groups are neighbouring data coordinates.
std::vector<Exchange> expert_exchanges(const JobSpec& job, const topology::Placement& placement);

/// Data parallelism, per step, or per micro-batch where said. Gradients are reduced over data and context ranks, which
/// hold the same weights, dense and expert parameters apart, each over its own groups; sizes are the fullest stage's.
struct DataExchanges {
  std::vector<Exchange> gradients;   ///< all-reduce at ZeRO stage 0, else reduce-scatter; from stage 2 each micro-batch
  std::vector<Exchange> parameters;  ///< all-gather from ZeRO stage 1; at stage 3 twice each micro-batch
};
DataExchanges data_exchanges(const JobSpec& job, const topology::Placement& placement);

/// The request without the GPUs of missing replicas (sorted); groups left with fewer than two members send nothing and
/// are dropped.
CollectiveRequest surviving(const CollectiveRequest& request, const topology::Placement& placement,
                            const std::vector<std::uint32_t>& missing);

/// Stage-to-stage transfers: every boundary of the pipeline at once, activations forward and gradients backward, the
/// slot of one model chunk in the steady state. With an interleaved schedule the last stage feeds the first. Bytes:
/// s b h 2-byte values, over tensor ranks with sequence parallelism (scatter-gather, arXiv 2104.04473, section 4.1).
/// One message each, simple protocol. Empty for one stage.
Phase pipeline_phase(const JobSpec& job, const topology::Placement& placement, const topology::Cluster& cluster);

}  // namespace toposim::sim
