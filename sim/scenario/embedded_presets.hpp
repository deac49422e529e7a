#pragma once
// Preset data files (sim/presets, faults/presets), compiled in by embed_presets.cmake so that the binary needs no data
// files at run time.
#include <span>
#include <string_view>

namespace toposim::sim {

struct EmbeddedFile {
  std::string_view name;  ///< path from the root: sim/presets/gpus.yaml
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_presets();  ///< sorted by name

}  // namespace toposim::sim
