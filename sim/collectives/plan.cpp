// Which algorithm can run what, and the way from a request to a plan.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <optional>

#include "sim/collectives/planner.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

using topology::TopologyError;
using topology::VertexId;

void check(const CollectiveRequest& request, const topology::Cluster& cluster) {
  const std::string what = to_string(request.kind);
  if (!(request.bytes >= 0) || !std::isfinite(request.bytes))
    throw TopologyError(
        fmt::format("{} of {} bytes: give a size that is not negative and finite", what, request.bytes));
  if (request.groups.empty()) throw TopologyError(fmt::format("{} among no groups: give at least one", what));
  std::vector<char> seen(cluster.gpu_count(), 0);
  for (std::size_t g = 0; g < request.groups.size(); ++g) {
    const auto& group = request.groups[g];
    if (group.empty()) throw TopologyError(fmt::format("{}: group {} has no members", what, g));
    if (request.kind == CollectiveKind::point_to_point && group.size() != 2)
      throw TopologyError(
          fmt::format("{}: group {} has {} members; give a source and a destination", what, g, group.size()));
    for (const VertexId gpu : group) {
      if (gpu >= cluster.gpu_count())
        throw TopologyError(
            fmt::format("{}: group {} names GPU {}, the cluster has {}", what, g, gpu, cluster.gpu_count()));
      if (seen[gpu])
        throw TopologyError(fmt::format("{}: {} is in two groups, or twice in group {}; groups must be disjoint", what,
                                        cluster.name(gpu), g));
      seen[gpu] = 1;
    }
  }
}

std::vector<GroupShape> shapes_of(const CollectiveRequest& request, const topology::Cluster& cluster) {
  std::vector<GroupShape> shapes;
  shapes.reserve(request.groups.size());
  for (const auto& group : request.groups) shapes.emplace_back(cluster, group);
  return shapes;
}

/// Why the algorithm cannot run the request; none if it can.
std::optional<std::string> objection(Algorithm algorithm, CollectiveKind kind, const std::vector<GroupShape>& shapes,
                                     const topology::ClusterSpec& spec) {
  const auto all = [&](auto&& test) { return std::all_of(shapes.begin(), shapes.end(), test); };
  const bool pairwise = kind == CollectiveKind::all_to_all || kind == CollectiveKind::point_to_point;
  if (pairwise != (algorithm == Algorithm::direct)) return "it is not an algorithm for this operation";
  switch (algorithm) {
    case Algorithm::automatic:
      return "a plan needs a definite algorithm";
    case Algorithm::ring:
    case Algorithm::direct:
      return std::nullopt;
    case Algorithm::rail_rings:
      if (!all([](const GroupShape& g) { return g.even(); })) return "it needs equally many members on each node";
      return std::nullopt;
    case Algorithm::hierarchical:
    case Algorithm::hierarchical_pipelined:
      if (kind == CollectiveKind::broadcast) return "it is not an algorithm for broadcast";
      return std::nullopt;
    case Algorithm::double_binary_tree:
      if (kind != CollectiveKind::all_reduce && kind != CollectiveKind::broadcast)
        return "it is an algorithm for all-reduce and broadcast";
      return std::nullopt;
    case Algorithm::nvls:
      if (!spec.nvlink_sharp) return "the cluster has no nvlink_sharp";
      if (!all([](const GroupShape& g) { return g.nodes() == 1; })) return "it works inside one node";
      return std::nullopt;
    case Algorithm::nvls_tree:
      if (!spec.nvlink_sharp) return "the cluster has no nvlink_sharp";
      if (kind != CollectiveKind::all_reduce) return "it is an algorithm for all-reduce";
      if (!all([](const GroupShape& g) { return g.smallest_node() > 1; }))
        return "it needs several members on each node";
      return std::nullopt;
    case Algorithm::sharp:
      if (!spec.fabric_sharp) return "the cluster has no fabric_sharp";
      if (kind != CollectiveKind::all_reduce) return "it is an algorithm for all-reduce";
      return std::nullopt;
  }
  return "unknown algorithm";
}

constexpr std::array definite_algorithms{Algorithm::ring,
                                         Algorithm::rail_rings,
                                         Algorithm::hierarchical,
                                         Algorithm::hierarchical_pipelined,
                                         Algorithm::double_binary_tree,
                                         Algorithm::nvls,
                                         Algorithm::nvls_tree,
                                         Algorithm::sharp,
                                         Algorithm::direct};

bool simple_only(Algorithm algorithm) {
  return algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree || algorithm == Algorithm::sharp;
}

bool spans_nodes(const std::vector<GroupShape>& shapes) {
  return std::any_of(shapes.begin(), shapes.end(), [](const GroupShape& g) { return g.nodes() > 1; });
}

/// The same flows as an algorithm earlier in the enum, so that `automatic` need not try it.
bool redundant(Algorithm algorithm, const std::vector<GroupShape>& shapes) {
  const bool one_gpu_per_node =
      std::all_of(shapes.begin(), shapes.end(), [](const GroupShape& g) { return g.largest_node() == 1; });
  switch (algorithm) {
    case Algorithm::rail_rings:
    case Algorithm::hierarchical:
    case Algorithm::hierarchical_pipelined:
      return one_gpu_per_node || !spans_nodes(shapes);
    case Algorithm::nvls_tree:  // inside a node it is NVLS with more overhead
    case Algorithm::sharp:
      return !spans_nodes(shapes);
    default:
      return false;
  }
}

CollectivePlan make_plan(const PlanInput& in, Algorithm algorithm, Protocol protocol) {
  CollectivePlan made;
  switch (algorithm) {
    case Algorithm::automatic:
      break;  // objected to before
    case Algorithm::ring:
      made = plan_ring(in);
      break;
    case Algorithm::rail_rings:
      made = plan_rail_rings(in);
      break;
    case Algorithm::hierarchical:
      made = plan_hierarchical(in, false);
      break;
    case Algorithm::hierarchical_pipelined:
      made = plan_hierarchical(in, true);
      break;
    case Algorithm::double_binary_tree:
      made = plan_double_binary_tree(in);
      break;
    case Algorithm::nvls:
      made = plan_nvls(in);
      break;
    case Algorithm::nvls_tree:
      made = plan_nvls_tree(in);
      break;
    case Algorithm::sharp:
      made = plan_sharp(in);
      break;
    case Algorithm::direct:
      made = plan_direct(in);
      break;
  }
  std::erase_if(made.phases, [](const Phase& phase) { return phase.empty(); });
  made.algorithm = algorithm;
  made.protocol = protocol;
  made.base_s = made.phases.empty() ? 0 : in.protocol.base_s;
  return made;
}

/// A protocol of lower latency cannot win where its bandwidth alone costs more than the whole of the simple one.
bool worth_trying(const LatencySpec& latency, const ProtocolSpec& protocol, const CollectiveTime& simple) {
  const double slowdown = std::min(latency.nvlink_efficiency / protocol.nvlink_efficiency,
                                   latency.network_efficiency / protocol.network_efficiency);
  return (simple.total_s - simple.latency_s) * slowdown < simple.total_s;
}

}  // namespace

std::vector<Algorithm> applicable(const CollectiveRequest& request, const topology::Cluster& cluster) {
  check(request, cluster);
  const auto shapes = shapes_of(request, cluster);
  std::vector<Algorithm> found;
  for (const Algorithm algorithm : definite_algorithms)
    if (!objection(algorithm, request.kind, shapes, cluster.spec())) found.push_back(algorithm);
  return found;
}

CollectivePlan plan(const CollectiveRequest& request, Algorithm algorithm, const topology::Cluster& cluster,
                    const LatencySpec& latency, Protocol protocol, const topology::FabricState& state) {
  check(request, cluster);
  const auto shapes = shapes_of(request, cluster);
  const auto refuse = [&](const std::string& why) {
    throw TopologyError(fmt::format("{} cannot run {}: {}", to_string(algorithm), to_string(request.kind), why));
  };
  if (const auto why = objection(algorithm, request.kind, shapes, cluster.spec())) refuse(*why);
  if (protocol != Protocol::simple && simple_only(algorithm)) refuse("it has the simple protocol only");
  return make_plan({request, shapes, cluster, latency, protocol_of(latency, protocol), state}, algorithm, protocol);
}

PricedPlan best_plan(const CollectiveRequest& request, Algorithm algorithm, const topology::Cluster& cluster,
                     const LatencySpec& latency, FabricModel& model, const topology::FabricState& state) {
  check(request, cluster);
  const auto shapes = shapes_of(request, cluster);
  std::optional<PricedPlan> best;
  std::exception_ptr first_error;
  const auto attempt = [&](Algorithm candidate, Protocol protocol) -> CollectiveTime {
    CollectivePlan made =
        make_plan({request, shapes, cluster, latency, protocol_of(latency, protocol), state}, candidate, protocol);
    CollectiveTime time = price(made, request, model, state);
    if (!best || time.total_s < best->time.total_s) best = PricedPlan{std::move(made), time};
    return time;
  };
  for (const Algorithm candidate : definite_algorithms) {
    if (algorithm != Algorithm::automatic && candidate != algorithm) continue;
    const auto why = objection(candidate, request.kind, shapes, cluster.spec());
    if (algorithm == Algorithm::automatic && (why || redundant(candidate, shapes))) continue;
    try {
      if (why)
        throw TopologyError(fmt::format("{} cannot run {}: {}", to_string(candidate), to_string(request.kind), *why));
      const CollectiveTime simple = attempt(candidate, Protocol::simple);
      if (!latency.low_latency_protocols || simple_only(candidate)) continue;
      if (!spans_nodes(shapes) && worth_trying(latency, latency.ll128, simple)) attempt(candidate, Protocol::ll128);
      if (worth_trying(latency, latency.ll, simple)) attempt(candidate, Protocol::ll);
    } catch (const TopologyError&) {
      if (!first_error) first_error = std::current_exception();
    }
  }
  if (!best) std::rethrow_exception(first_error);
  return std::move(*best);
}

CollectiveTime run_collective(const CollectiveRequest& request, Algorithm algorithm, const topology::Cluster& cluster,
                              const LatencySpec& latency, FabricModel& model, const topology::FabricState& state) {
  return best_plan(request, algorithm, cluster, latency, model, state).time;
}

}  // namespace toposim::sim
