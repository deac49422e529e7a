// Where the defaults of LatencySpec come from. Reference machine: nodes of 8 H100 with NVSwitch, 400 Gb/s InfiniBand,
// an NVLink hop of 0.5 us (two links) and a network hop of 2 us on the wires.
//
// Taken from NCCL's own cost model (NCCL 2.2x, src/graph/tuning.cc and topo.h), not fitted:
//   base latencies, us: ring LL 6.6, LL128 14, simple 8.4 (trees within 0.2; the same is used here);
//   per hop, us: NVLink ring LL 0.6, LL128 1.9, simple 3.4; network ring 2.7, 4.0, 14; network tree 5.0, 8.5, 14. These
//     include the wire: the defaults are less the 0.5 and 2 us above;
//   NVLink efficiency: 20.6 of 25 GB/s per H100 link = 0.824; LL128 0.92 of that (120 of 128 bytes) = 0.758; LL at most
//     141 GB/s of 450 = 0.313 inside a node; between nodes half (4 of 8 bytes).
// Taken from NVIDIA/nccl-tests issue 290: a 400 Gb/s NIC gives 46 to 48 GB/s, network_efficiency = 47/50.
//
// Fitted to nccl-tests all_reduce_perf on one such node (NVIDIA/dgxc-benchmarking, nccl/README.md):
//   nvls_efficiency to the five sizes from 1 GiB up: they are met within 0.8 %;
//   switch_reduction_s and nvls_chunk_bytes to 4 and 16 MiB: met within 0.1 %.
//   Not fitted: 8 B to 1 MiB (ring LL) comes out between +15 % (16 B) and -18 % (32 KiB); 2 MiB -9 %; 8 MiB +2 %; 32 to
//   512 MiB 5 to 7 % too fast: the machine loses there what neither its latency nor its bandwidth explains.
// Fitted to two such nodes (NVIDIA/nccl-tests issue 294):
//   nvls_tree_efficiency to 1 and 2 GiB: met within 0.2 %.
//   Not fitted: 512 MiB -5 %, 128 MiB -10 %.
//
// Chosen, with nothing to fit them to: pipeline_chunk_bytes (NCCL's simple buffer is 4 MiB per channel); the passes of
// SHARP cost what those of NVLS do.
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
