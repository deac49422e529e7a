#include "sim/collectives/binary_tree.hpp"

#include <algorithm>

namespace toposim::sim {
namespace {

/// In-order layout: a member's height is the number of its trailing zero bits b. Its parent is the neighbouring member
/// of height b + 1, above or below it; where the one above lies beyond the end, the next lower member of any height.
std::uint32_t in_order_parent(std::uint32_t member, std::uint32_t n) {
  const std::uint32_t bit = member & (~member + 1);
  const std::uint32_t below = member ^ bit;
  const std::uint32_t up = below | (bit << 1);
  return up < n ? up : below;
}

void measure_depth(BinaryTree& tree) {
  tree.depth = 0;
  for (std::uint32_t member = 0; member < tree.parent.size(); ++member) {
    std::uint32_t edges = 0;
    for (std::uint32_t at = member; at != tree.root; at = tree.parent[at]) ++edges;
    tree.depth = std::max(tree.depth, edges);
  }
}

}  // namespace

BinaryTree first_tree(std::uint32_t n) {
  BinaryTree tree;
  tree.parent.assign(n, BinaryTree::no_parent);
  for (std::uint32_t member = 1; member < n; ++member) tree.parent[member] = in_order_parent(member, n);
  measure_depth(tree);
  return tree;
}

BinaryTree second_tree(std::uint32_t n) {
  const BinaryTree first = first_tree(n);
  const auto renumber = [n](std::uint32_t member) { return n % 2 == 0 ? n - 1 - member : (member + 1) % n; };
  BinaryTree tree = first;
  tree.root = renumber(first.root);
  for (std::uint32_t member = 0; member < n; ++member)
    tree.parent[renumber(member)] = member == first.root ? BinaryTree::no_parent : renumber(first.parent[member]);
  return tree;
}

}  // namespace toposim::sim
