#include "sim/collectives/latency.hpp"

namespace toposim::sim {

LatencySpec by_hand() {
  LatencySpec wires;
  wires.base_s = wires.nvlink_round_s = wires.network_round_s = wires.tree_round_s = 0;
  wires.nvlink_efficiency = wires.network_efficiency = 1;
  wires.switch_reduction_s = wires.nvls_chunk_bytes = 0;
  wires.nvls_efficiency = wires.nvls_tree_efficiency = 1;
  wires.low_latency_protocols = false;
  return wires;
}

ProtocolSpec protocol_of(const LatencySpec& latency, Protocol protocol) {
  switch (protocol) {
    case Protocol::ll128:
      return latency.ll128;
    case Protocol::ll:
      return latency.ll;
    case Protocol::simple:
      break;
  }
  return {latency.base_s,       latency.nvlink_round_s,    latency.network_round_s,
          latency.tree_round_s, latency.nvlink_efficiency, latency.network_efficiency};
}

}  // namespace toposim::sim
