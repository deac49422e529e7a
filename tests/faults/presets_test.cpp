// The counts and rates in faults/presets/*.yaml, read line by line: yaml-cpp belongs to the scenario reader, whose
// tests read the presets as scenarios do.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

namespace toposim::faults {
namespace {

struct PresetClass {
  std::map<std::string, std::string> fields;
  double number(const std::string& key) const { return fields.count(key) ? std::stod(fields.at(key)) : 0; }
};

std::map<std::string, PresetClass> read_preset(const std::string& name) {
  std::ifstream file(TOPOSIM_SOURCE_DIR "/faults/presets/" + name + ".yaml");
  EXPECT_TRUE(file.is_open()) << name;
  std::map<std::string, PresetClass> classes;
  std::string line, current;
  while (std::getline(file, line)) {
    const auto colon = line.find(": ");
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    const std::string key = line.substr(std::min(colon, line.find_first_not_of(" -")), std::string::npos);
    const std::string field = key.substr(0, key.find(": ")), value = key.substr(key.find(": ") + 2);
    if (line.rfind("  - ", 0) == 0) {
      current = value;
      EXPECT_EQ(classes.count(current), 0u) << current;
    }
    if (!current.empty()) classes[current].fields[field] = value;
  }
  return classes;
}

// arXiv 2407.21783, Table 5: 419 unexpected interruptions in 54 days at 2,048 nodes, so 54 x 24 / 419 = 3.0931 h each
// and 419 / (2.048 x 54) = 3.7887 per 1000 node-days. Every class was counted over the whole machine: 16,384 GPUs, NICs
// or access cables, 2,048 nodes, one job.
TEST(Presets, Llama3AddsUpToThePublishedTotals) {
  const std::map<std::string, double> components = {
      {"gpu", 16384}, {"nic", 16384}, {"access_cable", 16384}, {"node", 2048}, {"job", 1}};
  double unexpected = 0, planned = 0, job = 0, per_hour = 0;
  for (const auto& [name, c] : read_preset("llama3-2024")) {
    const std::string component = c.fields.at("component");
    EXPECT_EQ(c.fields.at("exposure"),
              "{components: " + std::to_string(static_cast<int>(components.at(component))) + ", duration: 54d}")
        << name;
    if (c.fields.count("planned")) {
      planned += c.number("count");
      continue;
    }
    unexpected += c.number("count");
    if (component == "job") job += c.number("count");
    const double mtbf_h = components.at(component) * 54 * 24 / c.number("count");
    per_hour += components.at(component) / mtbf_h;
  }
  EXPECT_EQ(unexpected, 419);
  EXPECT_EQ(planned, 47);
  EXPECT_EQ(job, 63);  // software bugs 54, NCCL watchdog 7, dependencies 2
  EXPECT_NEAR(1 / per_hour, 3.0931, 5e-5);
  EXPECT_NEAR(per_hour * 24 / 2.048, 3.7887, 5e-5);
}

// arXiv 2410.21680.
TEST(Presets, RscRates) {
  EXPECT_EQ(read_preset("rsc-1").at("node").number("rate_per_1000_node_days"), 6.50);
  EXPECT_EQ(read_preset("rsc-2").at("node").number("rate_per_1000_node_days"), 2.34);
}

}  // namespace
}  // namespace toposim::faults
