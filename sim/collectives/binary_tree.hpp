#pragma once
// Two complementary binary trees over 0 .. n-1 (Sanders, Speck, Traeff 2009, "Two-tree algorithms for full bandwidth
// broadcast, reduction and scan"; NCCL 2.4 builds the same pair).
#include <cstdint>
#include <vector>

namespace toposim::sim {

struct BinaryTree {
  static constexpr std::uint32_t no_parent = 0xffffffff;
  std::uint32_t root = 0;
  std::vector<std::uint32_t> parent;  ///< per member; no_parent for the root
  std::uint32_t depth = 0;            ///< edges on the longest path from the root
};

/// Member 0 is the root and has one child; every other inner member is even and has at most two. Depth ceil(log2 n).
/// n >= 1.
BinaryTree first_tree(std::uint32_t n);

/// The same shape over members renumbered so that even and odd swap: mirrored for even n, shifted by one for odd n. No
/// member is an inner one of both, but for member 0 of an odd n, which has one child in each. So with half the data in
/// each tree no member sends or receives more than 2 S in an all-reduce.
BinaryTree second_tree(std::uint32_t n);

}  // namespace toposim::sim
