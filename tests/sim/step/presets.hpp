#pragma once
// The presets as the tests need them, read from sim/presets/*.yaml so that the tests check the data itself. The files
// have two levels, `name:` and `  field: value`; the scenario reader parses them properly.
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "sim/step/job_spec.hpp"

namespace toposim::sim {

using PresetFields = std::map<std::string, std::string>;

inline PresetFields preset(const std::string& file, const std::string& name) {
  const std::string path = std::string(TOPOSIM_SOURCE_DIR) + "/sim/presets/" + file;
  std::ifstream in(path);
  PresetFields fields;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      inside = line == name + ":";
    } else if (inside) {
      const auto colon = line.find(':');
      fields[line.substr(2, colon - 2)] = line.substr(colon + 2);
    }
  }
  if (fields.empty()) throw std::runtime_error("no preset " + name + " in " + path);
  return fields;
}

inline ModelSpec model_preset(const std::string& name) {
  const PresetFields f = preset("models.yaml", name);
  ModelSpec m;
  m.name = name;
  m.layers = std::stoll(f.at("layers")), m.hidden = std::stoll(f.at("hidden"));
  m.heads = std::stoll(f.at("heads")), m.kv_heads = std::stoll(f.at("kv_heads"));
  m.ffn_hidden = std::stoll(f.at("ffn_hidden")), m.vocabulary = std::stoll(f.at("vocabulary"));
  m.sequence = std::stoll(f.at("sequence"));
  m.gated_ffn = f.at("gated_ffn") == "true", m.tied_embedding = f.at("tied_embedding") == "true";
  m.source = f.at("source");
  return m;
}

inline double quantity(const std::string& text, const std::string& unit, double scale) {
  std::size_t end = 0;
  const double value = std::stod(text, &end);
  if (text.substr(end) != unit) throw std::runtime_error("'" + text + "' is not in " + unit);
  return value * scale;
}

inline GpuSpec gpu_preset(const std::string& name) {
  const PresetFields f = preset("gpus.yaml", name);
  GpuSpec g;
  g.name = name;
  g.memory_bytes = quantity(f.at("memory"), "GB", 1e9);
  g.memory_bandwidth_Bps = quantity(f.at("memory_bandwidth"), "TB/s", 1e12);
  g.bf16_flops = quantity(f.at("bf16"), "TFLOPS", 1e12);
  if (f.count("fp8") > 0) g.fp8_flops = quantity(f.at("fp8"), "TFLOPS", 1e12);
  g.nvlink_Bps = quantity(f.at("nvlink"), "GB/s", 1e9);
  g.nvlink_sharp = f.at("nvlink_sharp") == "true";
  g.source = f.at("source");
  return g;
}

inline ModelSpec gpt3_175b() {
  return model_preset("gpt3-175b");
}
inline ModelSpec llama2_70b() {
  return model_preset("llama2-70b");
}
inline ModelSpec llama3_405b() {
  return model_preset("llama3-405b");
}
inline GpuSpec a100() {
  return gpu_preset("a100");
}
inline GpuSpec h100() {
  return gpu_preset("h100");
}

}  // namespace toposim::sim
