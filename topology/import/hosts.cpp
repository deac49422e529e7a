#include "topology/import/hosts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "topology/import/natural_order.hpp"

namespace toposim::topology {
namespace {

struct NaturalLess {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const { return natural_less(a, b); }
};

using Devices = std::map<std::string, Hosts::Adapter, NaturalLess>;  // of one host
using DeviceNames = std::vector<std::string>;

const Wiring::End& end_of(const Wiring& wiring, const Hosts::Adapter& adapter) {
  const Wiring::Cable& cable = wiring.cables[adapter.cable];
  return adapter.is_a ? cable.a : cable.b;
}

DeviceNames names_of(const Devices& devices) {
  DeviceNames names;
  for (const auto& [name, adapter] : devices) names.push_back(name);
  return names;
}

/// "node0003, node0007 and 5 more"
std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 3; ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > 3 ? fmt::format("{} and {} more", text, names.size() - 3) : text;
}

std::map<std::string, Devices, NaturalLess> group_by_host(const Wiring& wiring, FileProblems& problems) {
  std::vector<std::uint32_t> ports(wiring.devices.size(), 0);  // in use
  for (const Wiring::Cable& cable : wiring.cables) {
    ++ports[cable.a.device];
    ++ports[cable.b.device];
  }
  std::map<std::string, Devices, NaturalLess> hosts;
  const auto add = [&](std::uint32_t cable, bool is_a) {
    const Hosts::Adapter adapter{cable, is_a};
    const Wiring::End& end = end_of(wiring, adapter);
    const Wiring::Device& device = wiring.devices[end.device];
    if (device.kind != Wiring::Kind::adapter || device.name.find("Aggregation Node") != std::string::npos) return;
    const std::size_t blank = device.name.rfind(' ');
    const std::string host = device.name.substr(0, blank);
    std::string local = blank == std::string::npos ? "adapter" : device.name.substr(blank + 1);
    if (ports[end.device] > 1) local += fmt::format(":{}", end.port);
    if (!hosts[host].try_emplace(local, adapter).second)
      problems.add(device.line, fmt::format("'{}' is the name of more than one adapter; give each node a description "
                                            "of its own (host and device) and take the file again",
                                            device.name));
  };
  for (std::uint32_t i = 0; i < wiring.cables.size(); ++i) {
    const Wiring::Cable& cable = wiring.cables[i];
    const Wiring::Device &a = wiring.devices[cable.a.device], &b = wiring.devices[cable.b.device];
    if (a.kind != Wiring::Kind::a_switch && b.kind != Wiring::Kind::a_switch) {
      problems.add(cable.line, fmt::format("'{}' and '{}' are joined without a switch; remove both", a.name, b.name));
      continue;
    }
    add(i, true);
    add(i, false);
  }
  return hosts;
}

/// The set of devices that most adapters are in; of equals, the first in order.
DeviceNames common_devices(const std::map<std::string, Devices, NaturalLess>& hosts) {
  std::map<DeviceNames, std::size_t> adapters;
  for (const auto& [host, devices] : hosts) adapters[names_of(devices)] += devices.size();
  const auto most = std::max_element(adapters.begin(), adapters.end(),
                                     [](const auto& x, const auto& y) { return x.second < y.second; });
  DeviceNames names = most->first;
  std::sort(names.begin(), names.end(), natural_less);
  return names;
}

}  // namespace

Hosts find_hosts(const Wiring& wiring, const ImportSpec& spec, FileProblems& problems) {
  Hosts result;
  auto hosts = group_by_host(wiring, problems);
  if (!problems.none()) return result;
  if (!spec.hosts.empty()) {
    const std::set<std::string, NaturalLess> wanted(spec.hosts.begin(), spec.hosts.end());
    for (const std::string& host : wanted)
      if (!hosts.contains(host))
        problems.add(0, fmt::format("there is no host '{}' in it; name one that is", shown(host)));
    std::erase_if(hosts, [&](const auto& entry) { return !wanted.contains(entry.first); });
  }
  if (hosts.empty()) problems.add(0, "no host in it; a fabric without adapters carries no training");
  if (!problems.none()) return result;

  result.rails = spec.rails.empty() ? common_devices(hosts) : spec.rails;
  std::vector<std::string> left_out;
  for (const auto& [host, devices] : hosts) {
    const bool fits = spec.rails.empty() ? names_of(devices) == result.rails
                                         : std::ranges::all_of(spec.rails, [&, &of = devices](const std::string& rail) {
                                             return of.contains(rail);
                                           });
    if (!fits) {
      left_out.push_back(host);
      continue;
    }
    result.nodes.push_back(host);
    for (const std::string& rail : result.rails) result.adapters.push_back(devices.find(rail)->second);
  }
  if (result.nodes.empty()) {
    problems.add(0, fmt::format("no host has all of the devices {}; '{}' has {}", fmt::join(result.rails, ", "),
                                hosts.begin()->first, fmt::join(names_of(hosts.begin()->second), ", ")));
    return result;
  }
  result.findings.push_back(
      fmt::format("nodes: {} by host name, {} to {}", result.nodes.size(), result.nodes.front(), result.nodes.back()));
  result.findings.push_back(fmt::format("adapters: {} each: {}", result.rails.size(), fmt::join(result.rails, ", ")));
  if (!left_out.empty())
    result.warnings.push_back(fmt::format("left out: {} of {} hosts, whose devices are not these: {}", left_out.size(),
                                          hosts.size(), some_of(left_out)));
  return result;
}

}  // namespace toposim::topology
