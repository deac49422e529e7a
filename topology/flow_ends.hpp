#pragma once
#include <cstdint>

#include "topology/arc_map.hpp"

namespace toposim::topology {

/// A flow, the NICs (index within their nodes) it leaves and enters by, and where those hang.
struct FlowEnds {
  struct Place {
    std::uint32_t nic = 0;   ///< of all NICs
    std::uint32_t leaf = 0;  ///< of all leaves
    std::uint32_t port = 0;  ///< of the leaf, counted over its NICs
    std::uint32_t pod = 0;
  };
  VertexId src = 0, dst = 0;  ///< GPUs
  std::uint64_t label = 0;
  VertexId relay_out = 0;  ///< the GPU that hands over to the NIC: src, or one that src reaches over NVLink
  VertexId relay_in = 0;
  std::uint32_t in_place = 0;  ///< of relay_in among the GPUs of its NIC
  Place out, in;
};

}  // namespace toposim::topology
