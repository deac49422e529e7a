#pragma once
// --set path.to.key=value: changes to the document before it is read, so that an override is checked like the file.
#include <string>
#include <vector>

#include "sim/scenario/problem.hpp"
#include "sim/scenario/yaml_tree.hpp"

namespace toposim::sim {

struct Override {
  std::string path;     ///< run.seed, schemes[0].checkpoint.interval
  std::string value;    ///< YAML
  std::string typed{};  ///< the argument that said so, for errors: --seed 7; empty: --set path=value
  std::string text() const { return typed.empty() ? "--set " + path + "=" + value : typed; }
};

/// Sets override number `index`. Mappings on the way are made where they are missing (whether such a key exists is the
/// reader's business); a path through a value, or beyond the end of a list, is a problem. schemes[0] of a bare word,
/// such as checkpoint_restart, becomes the mapping {scheme: checkpoint_restart}, and likewise for gpu and model
/// presets.
void apply_override(YamlNode& root, const Override& change, int index, Problems& problems);

}  // namespace toposim::sim
