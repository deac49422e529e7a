#include "topology/survey/bisection.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <map>
#include <numeric>
#include <vector>

#include "topology/survey/switch_pairs.hpp"

namespace toposim::topology {
namespace {

// Capacities in whole kB/s: sums of whole numbers, so that the flow does not depend on the order of adding.
constexpr double unit_Bps = 1000;

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

void join(FlowGraph& graph, std::size_t from, std::size_t to, double forth_Bps, double back_Bps) {
  const auto capacity = boost::get(boost::edge_capacity, graph);
  const auto reverse = boost::get(boost::edge_reverse, graph);
  const auto forth = boost::add_edge(from, to, graph).first, back = boost::add_edge(to, from, graph).first;
  capacity[forth] = static_cast<std::int64_t>(forth_Bps / unit_Bps);
  capacity[back] = static_cast<std::int64_t>(back_Bps / unit_Bps);
  reverse[forth] = back;
  reverse[back] = forth;
}

}  // namespace

Bisection bisection(const Cluster& cluster, VertexId dead) {
  Bisection result;
  if (cluster.nics_per_node() == 0) return result;
  std::vector<std::uint32_t> nodes(cluster.node_count());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::stable_sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
    return cluster.leaf_of_nic(cluster.nic(a, 0)) < cluster.leaf_of_nic(cluster.nic(b, 0));
  });
  const std::size_t switches = switch_count(cluster), source = switches, sink = switches + 1;
  std::map<VertexId, double> sent, received;  // by leaf
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::uint32_t k = 0; k < cluster.nics_per_node(); ++k) {
      const VertexId nic = cluster.nic(nodes[i], k);
      const double rate_Bps = cluster.bandwidth_Bps(cluster.out_arcs(nic).last - 1);
      const bool first_half = i < nodes.size() / 2;
      (first_half ? sent : received)[cluster.leaf_of_nic(nic)] += rate_Bps;
      if (first_half) result.adapters_Bps += rate_Bps;
    }
  }
  FlowGraph graph(switches + 2);
  const VertexId first = cluster.leaf(0);
  for (const SwitchPair& pair : switch_pairs(cluster))
    if (pair.lower != dead && pair.upper != dead)
      join(graph, pair.lower - first, pair.upper - first, pair.bandwidth_Bps, pair.bandwidth_Bps);
  for (const auto& [leaf, rate_Bps] : sent)
    if (leaf != dead) join(graph, source, leaf - first, rate_Bps, 0);
  for (const auto& [leaf, rate_Bps] : received)
    if (leaf != dead) join(graph, leaf - first, sink, rate_Bps, 0);
  // Push-relabel is faster still and finds the same values, but fails an assertion of its own (Boost 1.74) on
  // irregular fabrics; augmenting along shortest paths takes minutes at 131,072 GPUs.
  const auto index = boost::get(boost::vertex_index, graph);
  std::vector<boost::default_color_type> colours(switches + 2);
  std::vector<Traits::edge_descriptor> before(switches + 2);
  std::vector<std::int64_t> distance(switches + 2);
  const std::int64_t flow = boost::boykov_kolmogorov_max_flow(
      graph, boost::get(boost::edge_capacity, graph), boost::get(boost::edge_residual_capacity, graph),
      boost::get(boost::edge_reverse, graph), boost::make_iterator_property_map(before.begin(), index),
      boost::make_iterator_property_map(colours.begin(), index),
      boost::make_iterator_property_map(distance.begin(), index), index, source, sink);
  result.bandwidth_Bps = unit_Bps * static_cast<double>(flow);
  return result;
}

}  // namespace toposim::topology
