#include "sim/scenario/cross_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/exact/exact_limits.hpp"
#include "sim/scenario/readers.hpp"
#include "sim/schemes/make_scheme.hpp"
#include "topology/cluster.hpp"
#include "topology/error.hpp"
#include "topology/fabric_shape.hpp"

namespace toposim::sim {
namespace {

/// The divisors of a number nearest to what was asked, for advice: "4 or 8".
std::string near_divisors(std::int64_t number, std::int64_t asked) {
  std::int64_t below = 1, above = number;
  for (std::int64_t d = 1; d <= std::min<std::int64_t>(number, 1 << 20); ++d) {
    if (number % d != 0) continue;
    if (d <= asked) below = std::max(below, d);
    if (d >= asked) above = std::min(above, d);
  }
  return below == above ? std::to_string(below) : fmt::format("{} or {}", below, above);
}

bool check_tensor_in_node(const topology::ClusterSpec& cluster, const JobSpec& job, Section& section) {
  const auto& layout = job.layout;
  if (layout.order[0] != topology::Axis::tensor || cluster.gpus_per_node % layout.tensor == 0) return true;
  section.complain(
      "tensor_parallel",
      fmt::format("{} does not divide the {} GPUs of a node, and tensor parallelism has to stay inside a "
                  "node; {} would do",
                  layout.tensor, cluster.gpus_per_node, near_divisors(cluster.gpus_per_node, layout.tensor)));
  return false;
}

/// False where replicas do not come out whole.
bool fill_data_parallel(const topology::ClusterSpec& cluster, JobSpec& job, Section& section) {
  auto& layout = job.layout;
  const std::int64_t gpus = cluster.nodes * cluster.gpus_per_node, replica = layout.ranks_per_replica();
  const std::string split = fmt::format("tensor {} x context {} x pipeline {} = {} GPUs", layout.tensor, layout.context,
                                        layout.pipeline, replica);
  if (replica > gpus || gpus % replica != 0) {
    const bool too_large = replica > gpus;
    const std::int64_t step = replica / std::gcd(replica, cluster.gpus_per_node);  // nodes that make whole replicas
    const std::int64_t nodes = std::max(step, cluster.nodes / step * step);
    section.problems().add(
        section.at(),
        fmt::format("job: one replica takes {}, {} the {} GPUs of the cluster ({} nodes x {}); take {} nodes "
                    "(cluster.nodes) or lower the degrees",
                    split, too_large ? "more than" : "which does not divide", gpus, cluster.nodes,
                    cluster.gpus_per_node, nodes));
    return false;
  }
  const std::int64_t data = gpus / replica;
  if (layout.data != 0 && layout.data != data) {
    section.complain("data_parallel", fmt::format("{} GPUs over {} is {} replicas, not {}; write {}, or leave it out",
                                                  gpus, split, data, layout.data, data));
    return false;
  }
  layout.data = data;
  return true;
}

void check_batch(const JobSpec& job, Section& section) {
  const std::int64_t round = job.layout.data * job.micro_batch;
  if (job.global_batch % round == 0) return;
  const std::int64_t below = job.global_batch / round * round;
  section.complain(
      "global_batch",
      fmt::format("{} sequences do not divide into micro-batches of {} over {} replicas; take {}{}", job.global_batch,
                  job.micro_batch, job.layout.data, below > 0 ? fmt::format("{} or ", below) : "", below + round));
}

void check_experts(const JobSpec& job, Section& section) {
  const std::int64_t expert = job.layout.expert;
  if (expert == 1) return;
  if (job.model.experts == 1)
    section.complain("expert_parallel",
                     fmt::format("{} is a dense model: it has no experts to spread", job.model.name));
  else if (job.model.experts % expert != 0)
    section.complain("expert_parallel", fmt::format("{} does not divide the model's {} experts; {} would do", expert,
                                                    job.model.experts, near_divisors(job.model.experts, expert)));
  else if (job.layout.data % expert != 0)
    section.complain("expert_parallel", fmt::format("{} does not divide the {} data-parallel replicas that experts are "
                                                    "spread over; {} would do",
                                                    expert, job.layout.data, near_divisors(job.layout.data, expert)));
}

/// With sharded optimizer state gradients are reduced by a reduce-scatter and an all-gather, not by an all-reduce.
void check_algorithm(const topology::ClusterSpec& cluster, const JobSpec& job, Section& job_section) {
  Section section = job_section.section("collectives");
  const auto complain = [&](std::string_view why) {
    section.complain("algorithm", fmt::format("{} {}", to_string(job.algorithm), why));
  };
  const bool tree_or_switch = job.algorithm == Algorithm::double_binary_tree || job.algorithm == Algorithm::nvls_tree ||
                              job.algorithm == Algorithm::sharp;
  const bool nvls = job.algorithm == Algorithm::nvls || job.algorithm == Algorithm::nvls_tree;
  if (tree_or_switch && job.zero_stage >= 1 && job.layout.data > 1)
    complain(
        fmt::format("runs all-reduce only, and with zero_stage {} gradients are reduced by a reduce-scatter; set "
                    "job.zero_stage: 0, or another algorithm",
                    job.zero_stage));
  else if (nvls && !cluster.nvlink_sharp)
    complain("needs switches that reduce inside the node; set cluster.nvlink.sharp: true if they do");
  else if (job.algorithm == Algorithm::sharp && !cluster.fabric_sharp)
    complain("needs switches that reduce; set cluster.fabric.sharp: true if they do");
}

void check_split_of_model(const JobSpec& job, Section& section) {
  const auto& layout = job.layout;
  const ModelSpec& model = job.model;
  const std::int64_t chunks = layout.pipeline * job.virtual_pipeline;
  if (job.virtual_pipeline > 1 && layout.pipeline == 1)
    section.complain("virtual_pipeline", "interleaving needs stages; set pipeline_parallel above 1, or remove it");
  // The first and the last chunk also hold the embedding and the logits, and may have a layer less for it, as Llama 3's
  // do (arXiv 2407.21783, section 3.3.2).
  const std::int64_t slack = (chunks - model.layers % chunks) % chunks;
  if (chunks > model.layers || slack > 2)
    section.complain(
        job.virtual_pipeline > 1 ? "virtual_pipeline" : "pipeline_parallel",
        fmt::format("the {} layers of {} do not split over pipeline {} x virtual {} = {} chunks (the first "
                    "and the last may have one layer less)",
                    model.layers, model.name, layout.pipeline, job.virtual_pipeline, chunks));
  if (model.heads % layout.tensor != 0)
    section.complain("tensor_parallel",
                     fmt::format("{} does not divide the {} attention heads of {}; {} would do", layout.tensor,
                                 model.heads, model.name, near_divisors(model.heads, layout.tensor)));
  if (model.sequence % layout.context != 0)
    section.complain("context_parallel",
                     fmt::format("{} does not divide a sequence of {} tokens; {} would do", layout.context,
                                 model.sequence, near_divisors(model.sequence, layout.context)));
}

/// "cluster: nodes_per_pod is 10, ...": the key that such a message starts with, in cluster or in cluster.fabric.
Mark place_of(std::string_view message, Section& cluster) {
  message.remove_prefix(std::min(message.size(), std::string_view("cluster: ").size()));
  const std::string_view key = message.substr(0, message.find(' '));
  Section fabric = cluster.section("fabric");
  return cluster.has(key) ? cluster.mark_of(key) : fabric.mark_of(key);
}

}  // namespace

bool check_cluster(const topology::ClusterSpec& cluster, Section& section, double available_bytes) {
  try {
    topology::shape_of(cluster);
  } catch (const topology::TopologyError& error) {
    section.problems().add(place_of(error.what(), section), error.what());
    return false;
  }
  const double needed = topology::estimated_bytes(cluster);
  if (needed <= available_bytes) return true;
  section.complain("nodes",
                   fmt::format("the graph of {} GPUs needs {} of memory, and {} are available; lower nodes or "
                               "spares, or run on a larger machine",
                               cluster.total_nodes() * cluster.gpus_per_node, write_quantity(needed, Dimension::size),
                               write_quantity(available_bytes, Dimension::size)));
  return false;
}

void check_job(const topology::ClusterSpec& cluster, const GpuSpec& gpu, JobSpec& job, Section& section) {
  const bool tensor_fits = check_tensor_in_node(cluster, job, section);
  check_split_of_model(job, section);
  if (job.precision == Precision::fp8 && gpu.fp8_flops == 0)
    section.complain("precision", fmt::format("{} has no fp8 rate; use bf16", gpu.name));
  if (!tensor_fits || !fill_data_parallel(cluster, job, section)) return;
  check_batch(job, section);
  check_experts(job, section);
  check_algorithm(cluster, job, section);
}

void check_fault_count(const topology::ClusterSpec& cluster, const faults::FaultSpec& faults, double duration_s,
                       const Mark& at, Problems& problems) {
  constexpr double most_millions = 1;
  const topology::FabricShape shape = topology::shape_of(cluster);
  double expected = 0, worst = 0;
  std::string worst_name;
  for (const faults::FaultClassSpec& c : faults.classes) {
    const double cycle_s = c.mtbf_s + c.repair.mean_s;
    const double count = static_cast<double>(components_of(c.component, shape)) * duration_s / cycle_s;
    expected += count;
    if (count > worst) {
      worst = count;
      worst_name = c.name;
    }
  }
  if (expected <= most_millions * 1e6) return;
  problems.add(
      at,
      fmt::format("faults: {:.3g} million faults are to be expected in {}, most of class {}; up to {:g} million "
                  "can be simulated, so check its rate and scale",
                  expected / 1e6, write_quantity(duration_s, Dimension::time), in_quotes(worst_name), most_millions));
}

void check_exact(const topology::ClusterSpec& cluster, const std::vector<SchemeSpec>& schemes, const RunSpec& run,
                 Section& section) {
  if (run.fidelity != Fidelity::exact) return;
  const std::int64_t gpus = cluster.total_nodes() * cluster.gpus_per_node;
  if (gpus > exact_gpus_max)
    section.complain("fidelity", fmt::format("exact is for up to {} GPUs, spares included, and the cluster has {}; use "
                                             "flow, or fewer nodes",
                                             exact_gpus_max, gpus));
  for (const SchemeSpec& scheme : schemes) {
    if (scheme.kind == SchemeKind::checkpoint_restart) continue;
    section.complain("fidelity",
                     fmt::format("exact plays schemes that restart from a checkpoint, and {} trains on with "
                                 "the replicas that are left; use flow, or remove it from schemes",
                                 scheme.name.empty() ? to_string(scheme.kind) : scheme.name));
  }
}

void check_domains(const JobSpec& job, topology::DomainsSpec& domains, Section& section) {
  const std::int64_t replicas = job.layout.data;
  if (!section.has("size"))
    domains.size = std::min(domains.size, replicas);
  else if (domains.size > replicas)
    section.complain("size",
                     fmt::format("{} replicas make a domain, but the job has {}; lower it, or the job's tensor, "
                                 "pipeline or context degree",
                                 domains.size, replicas));
}

}  // namespace toposim::sim
