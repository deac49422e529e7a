#pragma once
// A YAML document as plain values that remember where they were written. yaml-cpp's own nodes forget duplicate keys and
// quotes, and share aliases; here both are settled while parsing, so that readers need not think of them.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/problem.hpp"

namespace toposim::sim {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, list, map } kind = Kind::null;
  std::string text;     ///< scalar
  bool quoted = false;  ///< scalar in quotes, or a block: text even where it looks like a number
  Mark mark;
  std::vector<YamlNode> items;     ///< list
  std::vector<YamlEntry> entries;  ///< map, in file order; keys are unique

  const YamlEntry* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  Mark mark;  ///< of the key
  YamlNode value;
};

inline constexpr int deepest_nesting = 32;
inline constexpr std::size_t most_values = 20000;  ///< an alias counts as often as it is used

/// One document. Nothing if the text is not YAML, or not YAML that we take (tags, keys that are not text, nesting
/// deeper or values more than the limits above, aliases of themselves); duplicate keys are reported, and the first is
/// kept. Merge keys (<<) are resolved. An empty document is a null node.
std::optional<YamlNode> parse_yaml(std::string_view text, int source, Problems& problems);

/// "a whole number", "text", "a list", ...: what a node is, for messages, with its text where it is short.
std::string describe(const YamlNode& node);

}  // namespace toposim::sim
