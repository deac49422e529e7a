#pragma once
// Presets by name: GPUs, models, failure rates.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/yaml_tree.hpp"

namespace toposim::sim {

/// Names in a preset file of several, such as sim/presets/gpus.yaml, in file order.
std::vector<std::string> preset_names(std::string_view file);
/// The mapping under a name of that file; null if there is none.
const YamlNode* find_preset(std::string_view file, std::string_view name);

/// Presets that are a file each, such as faults/presets/rsc-1.yaml: names in alphabetic order, and the whole document.
std::vector<std::string> preset_files(std::string_view folder);
const YamlNode* find_preset_file(std::string_view folder, std::string_view name);

}  // namespace toposim::sim
