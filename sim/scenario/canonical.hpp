#pragma once
#include <string>

#include "sim/scenario/yaml_tree.hpp"

namespace toposim::sim {

/// FNV-1a, 64 bits, as 16 hex digits, of the document's content: keys in alphabetic order, each value's text as
/// written. Comments, layout, quotes and the order of keys make no difference; 60min and 1h do.
std::string content_hash(const YamlNode& root);

}  // namespace toposim::sim
