#include "sim/step/communication.hpp"

#include <algorithm>
#include <utility>

#include "sim/step/training_bytes.hpp"
#include "sim/step/transformer.hpp"

namespace toposim::sim {
namespace {

using topology::Coordinate;
using topology::Placement;
using Groups = std::vector<std::vector<topology::VertexId>>;

struct Degrees {
  std::uint32_t tensor, context, pipeline, data, expert;
};

Degrees degrees(const JobSpec& job) {
  const auto& l = job.layout;
  return {static_cast<std::uint32_t>(l.tensor), static_cast<std::uint32_t>(l.context),
          static_cast<std::uint32_t>(l.pipeline), static_cast<std::uint32_t>(l.data),
          static_cast<std::uint32_t>(l.expert)};
}

double tokens_per_rank(const JobSpec& job) {
  return static_cast<double>(job.model.sequence) * static_cast<double>(job.micro_batch) /
         static_cast<double>(job.layout.context);
}

/// Bytes of one micro-batch's hidden states on one context rank.
double hidden_bytes(const JobSpec& job) {
  return tokens_per_rank(job) * static_cast<double>(job.model.hidden) * activation_bytes;
}

double layers_per_stage(const JobSpec& job) {
  return static_cast<double>(job.model.layers) / static_cast<double>(job.layout.pipeline);
}

double sequence_split(const JobSpec& job) {
  return job.sequence_parallel ? static_cast<double>(job.layout.tensor) : 1;
}

/// Groups of the (data, context) ranks that hold the same parameters: every stride-th data coordinate, stride = 1 for
/// dense parameters and the expert degree for experts.
Groups same_weights(const JobSpec& job, const Placement& placement, std::uint32_t stride) {
  const Degrees n = degrees(job);
  Groups groups;
  for (std::uint32_t p = 0; p < n.pipeline; ++p) {
    for (std::uint32_t first = 0; first < stride; ++first) {
      for (std::uint32_t t = 0; t < n.tensor; ++t) {
        std::vector<topology::VertexId> group;
        for (std::uint32_t d = first; d < n.data; d += stride) {
          for (std::uint32_t c = 0; c < n.context; ++c) group.push_back(placement.gpu_of({t, c, p, d}));
        }
        if (group.size() > 1) groups.push_back(std::move(group));
      }
    }
  }
  return groups;
}

void add(std::vector<Exchange>& list, CollectiveKind kind, const Groups& groups, double bytes, double times,
         Membership membership) {
  if (!groups.empty() && bytes > 0) list.push_back({{kind, groups, bytes}, times, membership});
}

}  // namespace

std::vector<Exchange> tensor_exchanges(const JobSpec& job, const Placement& placement) {
  const Degrees n = degrees(job);
  std::vector<Exchange> list;
  if (n.tensor == 1) return list;
  Groups groups;
  for (std::uint32_t d = 0; d < n.data; ++d) {
    for (std::uint32_t p = 0; p < n.pipeline; ++p) {
      for (std::uint32_t c = 0; c < n.context; ++c) {
        auto& group = groups.emplace_back();
        for (std::uint32_t t = 0; t < n.tensor; ++t) group.push_back(placement.gpu_of({t, c, p, d}));
      }
    }
  }
  const double times = layers_per_stage(job) * (job.recompute == JobSpec::Recompute::full ? 6 : 4);
  if (job.sequence_parallel) {
    add(list, CollectiveKind::reduce_scatter, groups, hidden_bytes(job), times, Membership::within_replica);
    add(list, CollectiveKind::all_gather, groups, hidden_bytes(job), times, Membership::within_replica);
  } else {
    add(list, CollectiveKind::all_reduce, groups, hidden_bytes(job), times, Membership::within_replica);
  }
  return list;
}

std::vector<Exchange> context_exchanges(const JobSpec& job, const Placement& placement) {
  const Degrees n = degrees(job);
  std::vector<Exchange> list;
  if (n.context == 1) return list;
  Groups groups;
  for (std::uint32_t d = 0; d < n.data; ++d) {
    for (std::uint32_t p = 0; p < n.pipeline; ++p) {
      for (std::uint32_t t = 0; t < n.tensor; ++t) {
        auto& group = groups.emplace_back();
        for (std::uint32_t c = 0; c < n.context; ++c) group.push_back(placement.gpu_of({t, c, p, d}));
      }
    }
  }
  const double kv_share = static_cast<double>(job.model.kv_heads) / static_cast<double>(job.model.heads);
  const double block = 2 * hidden_bytes(job) * kv_share / static_cast<double>(job.layout.tensor);  // K and V
  add(list, CollectiveKind::all_gather, groups, block * static_cast<double>(job.layout.context),
      3 * layers_per_stage(job), Membership::within_replica);
  return list;
}

std::vector<Exchange> expert_exchanges(const JobSpec& job, const Placement& placement) {
  const Degrees n = degrees(job);
  std::vector<Exchange> list;
  if (n.expert == 1 || job.model.experts == 1) return list;
  Groups groups;
  for (std::uint32_t first = 0; first < n.data; first += n.expert) {
    for (std::uint32_t p = 0; p < n.pipeline; ++p) {
      for (std::uint32_t c = 0; c < n.context; ++c) {
        for (std::uint32_t t = 0; t < n.tensor; ++t) {
          auto& group = groups.emplace_back();
          for (std::uint32_t d = first; d < first + n.expert; ++d) group.push_back(placement.gpu_of({t, c, p, d}));
        }
      }
    }
  }
  const double visits = static_cast<double>(job.model.experts_per_token);
  add(list, CollectiveKind::all_to_all, groups, hidden_bytes(job) * visits / sequence_split(job),
      4 * moe_layers(job.model) / static_cast<double>(job.layout.pipeline), Membership::some_replicas);
  return list;
}

DataExchanges data_exchanges(const JobSpec& job, const Placement& placement) {
  const StageSize stage = fullest_stage(job);
  const CollectiveKind reduction = job.zero_stage == 0 ? CollectiveKind::all_reduce : CollectiveKind::reduce_scatter;
  DataExchanges exchanges;
  const auto add_both = [&](std::uint32_t stride, double parameters) {
    if (parameters == 0) return;
    const Groups groups = same_weights(job, placement, stride);
    const Membership membership = stride == 1 ? Membership::all_replicas : Membership::some_replicas;
    add(exchanges.gradients, reduction, groups, job.gradient_bytes * parameters, 1, membership);
    if (job.zero_stage >= 1) {
      add(exchanges.parameters, CollectiveKind::all_gather, groups, weight_bytes * parameters,
          job.zero_stage >= 3 ? 2 : 1, membership);
    }
  };
  add_both(1, stage.dense_parameters);
  add_both(static_cast<std::uint32_t>(job.layout.expert), stage.expert_parameters);
  return exchanges;
}

CollectiveRequest surviving(const CollectiveRequest& request, const Placement& placement,
                            const std::vector<std::uint32_t>& missing) {
  CollectiveRequest left{request.kind, {}, request.bytes};
  left.groups.reserve(request.groups.size());
  for (const auto& group : request.groups) {
    std::vector<topology::VertexId> members;
    for (const topology::VertexId gpu : group) {
      if (!std::binary_search(missing.begin(), missing.end(), placement.replica_of_gpu(gpu))) members.push_back(gpu);
    }
    if (members.size() > 1) left.groups.push_back(std::move(members));
  }
  return left;
}

Phase pipeline_phase(const JobSpec& job, const Placement& placement, const topology::Cluster& cluster) {
  const Degrees n = degrees(job);
  Phase phase;
  phase.name = "stage to stage";
  phase.round_overhead_s = job.latency.nvlink_round_s;
  if (n.pipeline == 1) return phase;
  const double payload = hidden_bytes(job) / sequence_split(job);
  const std::uint32_t boundaries = job.virtual_pipeline > 1 ? n.pipeline : n.pipeline - 1;
  for (std::uint32_t d = 0; d < n.data; ++d) {
    for (std::uint32_t p = 0; p < boundaries; ++p) {
      for (std::uint32_t c = 0; c < n.context; ++c) {
        for (std::uint32_t t = 0; t < n.tensor; ++t) {
          const topology::VertexId here = placement.gpu_of({t, c, p, d});
          const topology::VertexId next = placement.gpu_of({t, c, (p + 1) % n.pipeline, d});
          const bool inside = cluster.node_of(here) == cluster.node_of(next);
          const double bytes = payload / (inside ? job.latency.nvlink_efficiency : job.latency.network_efficiency);
          phase.flows.push_back({here, next, bytes, 0});
          phase.flows.push_back({next, here, bytes, 0});
          if (!inside) phase.round_overhead_s = job.latency.network_round_s;
        }
      }
    }
  }
  return phase;
}

}  // namespace toposim::sim
