#include "sim/scenario/canonical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace toposim::sim {
namespace {

/// Every text with its length before it, so that no two documents dump alike.
void dump(const YamlNode& node, std::string& out) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      out += '~';
      return;
    case YamlNode::Kind::scalar:
      out += fmt::format("s{}:{}", node.text.size(), node.text);
      return;
    case YamlNode::Kind::list:
      out += fmt::format("l{}:", node.items.size());
      for (const YamlNode& item : node.items) dump(item, out);
      return;
    case YamlNode::Kind::map:
      break;
  }
  std::vector<const YamlEntry*> sorted;
  for (const YamlEntry& entry : node.entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const YamlEntry* a, const YamlEntry* b) { return a->key < b->key; });
  out += fmt::format("m{}:", sorted.size());
  for (const YamlEntry* entry : sorted) {
    out += fmt::format("{}:{}", entry->key.size(), entry->key);
    dump(entry->value, out);
  }
}

}  // namespace

std::string content_hash(const YamlNode& root) {
  std::string text;
  dump(root, text);
  std::uint64_t hash = 0xcbf29ce484222325;  // http://www.isthe.com/chongo/tech/comp/fnv/
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace toposim::sim
