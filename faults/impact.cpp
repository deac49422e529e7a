#include "faults/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "faults/error.hpp"

namespace toposim::faults {

namespace {

using topology::ArcId;
using topology::Cluster;
using topology::LinkKind;
using topology::VertexId;

/// One port of one node. NICs and access cables are numbered alike: one cable per NIC.
struct Port {
  std::uint32_t node;
  ArcId cable;
};

Port port_of(const Cluster& cluster, std::uint32_t nic) {
  return {nic / cluster.nics_per_node(), cluster.cable(LinkKind::access, nic)};
}

bool has_other_leaf(const Cluster& cluster, std::uint32_t node, VertexId leaf) {
  for (std::uint32_t i = 0; i < cluster.nics_per_node(); ++i)
    if (cluster.leaf_of_nic(cluster.nic(node, i)) != leaf) return true;
  return false;
}

std::vector<Port> ports_of_leaf(const Cluster& cluster, VertexId leaf) {
  std::vector<Port> ports;
  const auto out = cluster.out_arcs(leaf);
  for (ArcId arc = out.first; arc < out.last; ++arc)
    if (cluster.arc(arc).kind == LinkKind::access)
      ports.push_back({cluster.node_of(cluster.target(arc)), cluster.arc(arc).reverse});
  return ports;
}

/// All cables of a switch, by their upward arcs (towards the larger vertex).
void add_cables_of(const Cluster& cluster, VertexId v, double factor, Impact& impact) {
  const auto out = cluster.out_arcs(v);
  for (ArcId arc = out.first; arc < out.last; ++arc)
    impact.cables.emplace_back(cluster.target(arc) > v ? arc : cluster.arc(arc).reverse, factor);
}

/// Ports that are lost or slow; `survives` says whether a node goes on without the port.
template <class Survives>
void add_ports(const std::vector<Port>& ports, const FaultClassSpec& c, const Survives& survives, Impact& impact) {
  for (const Port& port : ports) {
    if (c.kind == FaultKind::fail_slow)
      impact.cables.emplace_back(port.cable, c.slow_factor);
    else if (survives(port.node))
      impact.cables.emplace_back(port.cable, 0.0);
    else
      impact.nodes_down.push_back(port.node);
  }
}

void add_node(std::uint32_t node, const FaultClassSpec& c, Impact& impact) {
  if (c.kind == FaultKind::fail_slow)
    impact.slow_nodes.emplace_back(node, c.slow_factor);
  else
    impact.nodes_down.push_back(node);
}

/// The draw in [0, fraction) stops the job; the rest of the unit interval is dealt evenly to the nodes.
void add_job(std::uint32_t choice, const FaultClassSpec& c, const Cluster& cluster, Impact& impact) {
  const double u = (choice + 0.5) * 0x1p-32;
  if (u < c.job_fraction) {
    impact.stops_job = true;
    return;
  }
  const double rest = (u - c.job_fraction) / (1 - c.job_fraction);
  impact.nodes_down.push_back(
      std::min(cluster.node_count() - 1, static_cast<std::uint32_t>(rest * cluster.node_count())));
}

}  // namespace

Impact impact_of(const FaultEvent& event, const FaultSpec& spec, const Cluster& cluster) {
  if (event.fault_class >= spec.classes.size())
    throw FaultError(
        fmt::format("a fault of class number {}, but there are {} classes", event.fault_class, spec.classes.size()));
  const FaultClassSpec& c = spec.classes[event.fault_class];
  const std::uint32_t component = event.component;
  if (const std::uint32_t count = component_count(c.component, cluster); component >= count)
    throw FaultError(fmt::format("fault class '{}': a fault of {} {}, but the cluster has {}", c.name,
                                 to_string(c.component), component, count));

  const double factor = c.kind == FaultKind::fail_slow ? c.slow_factor : 0.0;
  const bool failover = cluster.spec().port_failover;
  Impact impact;
  switch (c.component) {
    case Component::gpu:
      add_node(component / cluster.gpus_per_node(), c, impact);
      break;
    case Component::node:
      add_node(component, c, impact);
      break;
    case Component::nic:
    case Component::access_cable:
      add_ports(
          {port_of(cluster, component)}, c, [&](std::uint32_t) { return failover && cluster.nics_per_node() > 1; },
          impact);
      break;
    case Component::leaf: {
      const VertexId leaf = cluster.leaf(component);
      add_ports(
          ports_of_leaf(cluster, leaf), c,
          [&](std::uint32_t node) { return failover && has_other_leaf(cluster, node, leaf); }, impact);
      break;
    }
    case Component::uplink_cable:
      impact.cables.emplace_back(cluster.cable(LinkKind::uplink, component), factor);
      break;
    case Component::core_cable:
      impact.cables.emplace_back(cluster.cable(LinkKind::core_link, component), factor);
      break;
    case Component::spine:
      add_cables_of(cluster, cluster.spine(component), factor, impact);
      break;
    case Component::core:
      add_cables_of(cluster, cluster.core(component), factor, impact);
      break;
    case Component::job:
      add_job(event.choice, c, cluster, impact);
      break;
  }
  // A leaf that serves several NICs of a node names it once.
  std::sort(impact.nodes_down.begin(), impact.nodes_down.end());
  impact.nodes_down.erase(std::unique(impact.nodes_down.begin(), impact.nodes_down.end()), impact.nodes_down.end());
  std::sort(impact.cables.begin(), impact.cables.end());
  return impact;
}

double job_stop_rate_per_s(const FaultModel& model, const Cluster& cluster, std::uint32_t job_nodes,
                           bool with_planned) {
  if (job_nodes > cluster.node_count())
    throw FaultError(fmt::format("a job of {} nodes on a cluster of {}", job_nodes, cluster.node_count()));
  const double job_share = static_cast<double>(job_nodes) / cluster.node_count();
  std::map<Component, double> stopping;  // components of a kind that stop a node of the job; many classes share a kind
  double rate_per_s = 0;
  for (std::uint32_t i = 0; i < model.spec().classes.size(); ++i) {
    const FaultClassSpec& c = model.spec().classes[i];
    if ((c.planned && !with_planned) || c.kind == FaultKind::fail_slow) continue;
    if (c.component == Component::job) {
      rate_per_s += (c.job_fraction + (1 - c.job_fraction) * job_share) / c.mtbf_s;
      continue;
    }
    const auto [it, unknown] = stopping.try_emplace(c.component, 0);
    if (unknown) {
      for (std::uint32_t k = 0; k < model.components(i); ++k) {
        const Impact impact = impact_of({0, 1, i, k, 0}, model.spec(), cluster);
        if (!impact.nodes_down.empty() && impact.nodes_down.front() < job_nodes) it->second += 1;
      }
    }
    rate_per_s += it->second / c.mtbf_s;
  }
  return rate_per_s;
}

}  // namespace toposim::faults
