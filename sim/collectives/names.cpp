// Words for reports and scenario files.
#include "sim/collectives/collective.hpp"

namespace toposim::sim {

std::string to_string(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::automatic:
      return "auto";
    case Algorithm::ring:
      return "ring";
    case Algorithm::rail_rings:
      return "rail_rings";
    case Algorithm::hierarchical:
      return "hierarchical";
    case Algorithm::hierarchical_pipelined:
      return "hierarchical_pipelined";
    case Algorithm::double_binary_tree:
      return "double_binary_tree";
    case Algorithm::nvls:
      return "nvls";
    case Algorithm::nvls_tree:
      return "nvls_tree";
    case Algorithm::sharp:
      return "sharp";
    case Algorithm::direct:
      return "direct";
  }
  return "?";
}

std::string to_string(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return "all_reduce";
    case CollectiveKind::reduce_scatter:
      return "reduce_scatter";
    case CollectiveKind::all_gather:
      return "all_gather";
    case CollectiveKind::broadcast:
      return "broadcast";
    case CollectiveKind::all_to_all:
      return "all_to_all";
    case CollectiveKind::point_to_point:
      return "point_to_point";
  }
  return "?";
}

std::string to_string(Protocol protocol) {
  switch (protocol) {
    case Protocol::simple:
      return "simple";
    case Protocol::ll128:
      return "ll128";
    case Protocol::ll:
      return "ll";
  }
  return "?";
}

}  // namespace toposim::sim
