#pragma once
#include <array>
#include <cstddef>

#include "topology/arc_map.hpp"

namespace toposim::topology {

/// The arcs of one route in order, without allocation. The longest crosses GPU, NVSwitch, GPU, NIC, leaf, spine, core
/// and the same down again; in an imported fabric two switches more.
class Path {
 public:
  static constexpr std::size_t max_arcs = 14;

  Path() = default;
  /// Fills the arcs from `write`, which gets the first place and returns one past the last it wrote.
  template <class Write>
  explicit Path(Write write) : size_(static_cast<std::size_t>(write(arcs_.data()) - arcs_.data())) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const ArcId* begin() const { return arcs_.data(); }
  const ArcId* end() const { return arcs_.data() + size_; }
  ArcId operator[](std::size_t i) const { return arcs_[i]; }

 private:
  std::array<ArcId, max_arcs> arcs_;
  std::size_t size_ = 0;
};

}  // namespace toposim::topology
