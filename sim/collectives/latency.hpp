#pragma once
// What software adds to the wires: latency per dependent message and the share of a link's bandwidth that payload gets,
// by protocol. Where the defaults come from, and how far they are off: latency.cpp.
#include <cstdint>
#include <string>

namespace toposim::sim {

/// NCCL's wire protocols. Low latency is paid for with bandwidth.
enum class Protocol : std::uint8_t {
  simple,  ///< large chunks and a fence; full bandwidth
  ll128,   ///< 120 of every 128 bytes are data, the rest flags; inside one node only
  ll,      ///< 4 of every 8 bytes
};

/// Of one protocol. Latencies are what a message costs beyond the latencies of the links on its route.
struct ProtocolSpec {
  double base_s = 0;              ///< once per collective: kernel launch and protocol start
  double nvlink_round_s = 0;      ///< per hop of a ring or chain inside a node
  double network_round_s = 0;     ///< per hop of a ring between nodes
  double tree_round_s = 0;        ///< per hop of a tree between nodes
  double nvlink_efficiency = 1;   ///< payload over link bandwidth of a flow inside a node
  double network_efficiency = 1;  ///< the same of a flow between nodes
};

/// Defaults are calibrated to H100 nodes with NVSwitch and 400 Gb/s InfiniBand.
struct LatencySpec {
  // The simple protocol; every algorithm has it.
  double base_s = 8.4e-6;
  double nvlink_round_s = 2.9e-6;
  double network_round_s = 12e-6;
  double tree_round_s = 12e-6;
  double nvlink_efficiency = 0.824;
  double network_efficiency = 0.94;

  // Reduction in switches; it runs under the simple protocol only.
  double switch_reduction_s = 6.9e-6;        ///< per pass through the switches: one to reduce, one to spread the result
  double nvls_efficiency = 0.684;            ///< payload over NVLink bandwidth of NVLink SHARP
  double nvls_tree_efficiency = 0.600;       ///< the same where its results go on to a tree between nodes
  double nvls_chunk_bytes = 10 * 1048576.0;  ///< at most so much is reduced before anything is spread

  double pipeline_chunk_bytes = 4 * 1048576.0;  ///< of algorithms whose phases overlap

  // For rings, trees and point-to-point beside the simple protocol, whichever is fastest.
  bool low_latency_protocols = true;
  ProtocolSpec ll128{14e-6, 1.4e-6, 2e-6, 6.5e-6, 0.758, 0.865};
  ProtocolSpec ll{6.6e-6, 0.1e-6, 0.7e-6, 3e-6, 0.313, 0.47};
};

/// Wires only: no software latency, every efficiency 1, no low-latency protocols. The setting of the hand-derived
/// tests.
LatencySpec by_hand();

/// The numbers of one protocol. Zero-cost view of the spec.
ProtocolSpec protocol_of(const LatencySpec& latency, Protocol protocol);

std::string to_string(Protocol protocol);

}  // namespace toposim::sim
