#pragma once
// How long each part of surviving a failure takes, and where checkpoints go. Each scheme pays the parts it needs.
#include <cstdint>

#include "sim/step/state_bytes.hpp"

namespace toposim::sim {

struct RecoverySpec {
  double detect_s = 30;  ///< the collective in flight hangs this long under every scheme
  double quorum_s = 5;   ///< survivors agree on who is left
  double reallocate_s =
      60;  ///< a spare node takes the place of a failed one, or the job process restarts on a healthy one
  double comm_init_s = 10;             ///< communicators: base ...
  double comm_init_per_rank_s = 2e-3;  ///< ... plus this for each rank of the communicators that are built anew
  double catch_up_s = 0;  ///< first steps after a restart or a rejoin run slow: data loader, compilation, caches
};

struct CheckpointSpec {
  enum class Interval : std::uint8_t { fixed, young, daly } interval_rule = Interval::daly;
  double interval_s = 0;  ///< fixed only: compute time between checkpoints, rounded to whole steps, at least one
  double mtti_s = 0;      ///< young, daly: the mean time to interrupt they reckon with; 0: from the fault rates
  enum class Write : std::uint8_t { blocking, asynchronous } write = Write::asynchronous;
  double snapshot_s = -1;           ///< asynchronous: stall while the state is copied aside; < 0: from bytes and PCIe
  double write_s = -1;              ///< until the checkpoint is durable; < 0: from bytes and storage bandwidth
  double load_s = -1;               ///< < 0: from bytes and storage bandwidth
  double storage_write_Bps = 1e12;  ///< of the whole store, shared by all writers
  double storage_read_Bps = 1e12;
  double node_Bps = 25e9;  ///< most that one node can read or write
};

}  // namespace toposim::sim
