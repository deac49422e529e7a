#include "topology/import/tiers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace toposim::topology {
namespace {

using Tier = ImportedFabric::Tier;
constexpr std::uint32_t no_pod = 0xffffffff;

bool named(std::string name, std::string_view word) {
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name.find(word) != std::string::npos;
}

class TierFinder {
 public:
  TierFinder(const Wiring& wiring, const Hosts& hosts) : wiring_(wiring), neighbours_(wiring.devices.size()) {
    result_.of.resize(wiring.devices.size());
    result_.pod.resize(wiring.devices.size(), 0);
    for (const Wiring::Cable& cable : wiring.cables) {
      neighbours_[cable.a.device].push_back(cable.b.device);
      neighbours_[cable.b.device].push_back(cable.a.device);
    }
    for (const Hosts::Adapter& adapter : hosts.adapters) {
      const Wiring::Cable& cable = wiring.cables[adapter.cable];
      result_.of[adapter.is_a ? cable.b.device : cable.a.device] = Tier::leaf;
    }
  }

  Tiers find(FileProblems& problems) {
    for (std::uint32_t d = 0; d < wiring_.devices.size(); ++d)
      if (is_switch(d) && !result_.of[d] && looks_like_leaf(d)) result_.of[d] = Tier::leaf;
    spread(Tier::leaf, Tier::spine);
    spread(Tier::spine, Tier::core);
    for (std::uint32_t d = 0; d < wiring_.devices.size(); ++d) {
      if (!is_switch(d)) continue;
      if (!result_.of[d])
        problems.add(
            wiring_.devices[d].line,
            fmt::format("'{}' is more than two switches away from every leaf; fabrics of up to three tiers can "
                        "be simulated, so remove it if it carries no traffic",
                        wiring_.devices[d].name));
      else if (*result_.of[d] == Tier::leaf &&
               (named(wiring_.devices[d].name, "spine") || named(wiring_.devices[d].name, "core")))
        result_.findings.push_back(fmt::format("'{}' is taken as a leaf: nodes hang on it", wiring_.devices[d].name));
    }
    if (std::ranges::count(result_.of, std::optional(Tier::core)) > 0) number_pods();
    return std::move(result_);
  }

 private:
  bool is_switch(std::uint32_t device) const { return wiring_.devices[device].kind == Wiring::Kind::a_switch; }

  bool looks_like_leaf(std::uint32_t device) const {
    const std::string& name = wiring_.devices[device].name;
    if (named(name, "spine") || named(name, "core")) return false;
    const auto& neighbours = neighbours_[device];
    const auto adapters = std::ranges::count_if(neighbours, [&](std::uint32_t n) {
      return wiring_.devices[n].kind == Wiring::Kind::adapter &&
             wiring_.devices[n].name.find("Aggregation Node") == std::string::npos;
    });
    return 2 * static_cast<std::size_t>(adapters) >= neighbours.size() && adapters > 0;
  }

  void spread(Tier from, Tier to) {
    for (std::uint32_t d = 0; d < wiring_.devices.size(); ++d) {
      if (result_.of[d] != from) continue;
      for (const std::uint32_t n : neighbours_[d])
        if (is_switch(n) && !result_.of[n]) result_.of[n] = to;
    }
  }

  void number_pods() {
    std::fill(result_.pod.begin(), result_.pod.end(), no_pod);
    std::uint32_t pods = 0;
    for (std::uint32_t d = 0; d < wiring_.devices.size(); ++d) {
      if (!in_a_pod(d) || result_.pod[d] != no_pod) continue;
      std::vector<std::uint32_t> queue{d};
      result_.pod[d] = pods;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const std::uint32_t n : neighbours_[queue[i]]) {
          if (!in_a_pod(n) || result_.pod[n] != no_pod) continue;
          result_.pod[n] = pods;
          queue.push_back(n);
        }
      }
      ++pods;
    }
  }
  bool in_a_pod(std::uint32_t device) const {
    return is_switch(device) && result_.of[device] && *result_.of[device] != Tier::core;
  }

  const Wiring& wiring_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  Tiers result_;
};

}  // namespace

Tiers find_tiers(const Wiring& wiring, const Hosts& hosts, FileProblems& problems) {
  return TierFinder(wiring, hosts).find(problems);
}

}  // namespace toposim::topology
