#include "topology/import/infer_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "topology/import/hosts.hpp"
#include "topology/import/natural_order.hpp"
#include "topology/import/tiers.hpp"

namespace toposim::topology {
namespace {

using Tier = ImportedFabric::Tier;
constexpr std::uint32_t nowhere = 0xffffffff;

std::string in_Gbps(double bandwidth_Bps) {
  return fmt::format("{:g} Gbps", bandwidth_Bps * 8e-9);
}

class Inference {
 public:
  Inference(const Wiring& wiring, const ImportSpec& spec) : wiring_(wiring), spec_(spec), problems_(wiring.file) {}

  InferredFabric infer() {
    hosts_ = find_hosts(wiring_, spec_, problems_);
    problems_.throw_if_any();
    tiers_ = find_tiers(wiring_, hosts_, problems_);
    problems_.throw_if_any();
    ImportedFabric& fabric = result_.fabric;
    fabric.file = wiring_.file;
    fabric.nodes = hosts_.nodes;
    fabric.rails = hosts_.rails;
    order_switches();
    lay_access();
    lay_cables();
    find_rails();
    set_rates();
    fabric.warnings.insert(fabric.warnings.begin(), hosts_.warnings.begin(), hosts_.warnings.end());
    fabric.findings.insert(fabric.findings.begin(), hosts_.findings.begin(), hosts_.findings.end());
    fabric.findings.insert(fabric.findings.end(), tiers_.findings.begin(), tiers_.findings.end());
    return std::move(result_);
  }

 private:
  const Wiring::Cable& cable_of(const Hosts::Adapter& adapter) const { return wiring_.cables[adapter.cable]; }
  std::uint32_t leaf_device(const Hosts::Adapter& adapter) const {
    return adapter.is_a ? cable_of(adapter).b.device : cable_of(adapter).a.device;
  }

  /// Each tier after the one below, by the first of those that hang on a switch, then by name.
  void order_switches() {
    number_.assign(wiring_.devices.size(), nowhere);
    std::vector<std::uint32_t> first_below(wiring_.devices.size(), nowhere);
    for (std::uint32_t i = static_cast<std::uint32_t>(hosts_.adapters.size()); i-- > 0;)
      first_below[leaf_device(hosts_.adapters[i])] = i;
    for (const Tier tier : {Tier::leaf, Tier::spine, Tier::core}) {
      std::vector<std::uint32_t> devices;
      for (std::uint32_t d = 0; d < wiring_.devices.size(); ++d)
        if (tiers_.of[d] == tier) devices.push_back(d);
      std::sort(devices.begin(), devices.end(), [&](std::uint32_t x, std::uint32_t y) {
        if (first_below[x] != first_below[y]) return first_below[x] < first_below[y];
        const std::string &a = wiring_.devices[x].name, &b = wiring_.devices[y].name;
        return a != b ? natural_less(a, b) : wiring_.devices[x].guid < wiring_.devices[y].guid;
      });
      for (const std::uint32_t d : devices) {
        number_[d] = static_cast<std::uint32_t>(result_.switch_devices.size());
        result_.switch_devices.push_back(d);
        result_.fabric.switches.push_back(
            {wiring_.devices[d].name, tier, tiers_.pod[d] == nowhere ? 0 : tiers_.pod[d], 0});
      }
      for (const Wiring::Cable& cable : wiring_.cables) {
        note_below(cable.a.device, cable.b.device, tier, first_below);
        note_below(cable.b.device, cable.a.device, tier, first_below);
      }
    }
  }
  void note_below(std::uint32_t lower, std::uint32_t upper, Tier tier, std::vector<std::uint32_t>& first_below) const {
    if (tiers_.of[lower] == tier && tiers_.of[upper] && *tiers_.of[upper] > tier)
      first_below[upper] = std::min(first_below[upper], number_[lower]);
  }

  void lay_access() {
    for (const Hosts::Adapter& adapter : hosts_.adapters) {
      const Wiring::Cable& cable = cable_of(adapter);
      result_.fabric.access.push_back({number_[leaf_device(adapter)], cable.bandwidth_Bps});
      result_.cable_of_access.push_back(adapter.cable);
      result_.lids.push_back(adapter.is_a ? cable.a.lid : cable.b.lid);
    }
  }

  void lay_cables() {
    struct Laid {
      std::uint32_t lower, port, upper, index;
    };
    std::vector<Laid> laid;
    for (std::uint32_t i = 0; i < wiring_.cables.size(); ++i) {
      const Wiring::Cable& cable = wiring_.cables[i];
      const std::uint32_t a = number_[cable.a.device], b = number_[cable.b.device];
      if (a == nowhere || b == nowhere || a == b) continue;
      laid.push_back(a < b ? Laid{a, cable.a.port, b, i} : Laid{b, cable.b.port, a, i});
    }
    std::sort(laid.begin(), laid.end(),
              [](const Laid& x, const Laid& y) { return std::tie(x.lower, x.port) < std::tie(y.lower, y.port); });
    for (const Laid& one : laid) {
      result_.fabric.cables.push_back({one.lower, one.upper, wiring_.cables[one.index].bandwidth_Bps});
      result_.cable_of_cable.push_back(one.index);
    }
  }

  /// A fabric is rail-optimised where most adapters are on leaves that serve one rail; then the rest are findings.
  void find_rails() {
    ImportedFabric& fabric = result_.fabric;
    const std::size_t rails = fabric.rails.size(), leaves = fabric.count(Tier::leaf);
    std::vector<std::vector<std::uint32_t>> on(leaves, std::vector<std::uint32_t>(rails, 0));
    for (std::size_t i = 0; i < fabric.access.size(); ++i) ++on[fabric.access[i].leaf][i % rails];
    std::size_t pure = 0;
    std::vector<std::uint32_t> main(leaves, 0);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const auto most = std::max_element(on[leaf].begin(), on[leaf].end());
      main[leaf] = static_cast<std::uint32_t>(most - on[leaf].begin());
      std::size_t all = 0;
      for (const std::uint32_t n : on[leaf]) all += n;
      if (*most > 0 && 10 * *most >= 9 * all) pure += all;
    }
    fabric.rail_optimised = rails > 1 && 2 * pure > fabric.access.size();
    if (!fabric.rail_optimised) {
      fabric.findings.push_back("rails: none, a leaf serves adapters of several device numbers");
      return;
    }
    fabric.findings.push_back(fmt::format("rails: {}, a leaf serves one device number", rails));
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
      fabric.switches[leaf].rail = static_cast<std::uint16_t>(main[leaf]);
    for (std::size_t i = 0; i < fabric.access.size(); ++i) {
      const std::uint32_t leaf = fabric.access[i].leaf;
      if (main[leaf] == i % rails) continue;
      fabric.warnings.push_back(fmt::format("{} {} is on '{}', which serves {}: are two cables swapped?",
                                            fabric.nodes[i / rails], fabric.rails[i % rails],
                                            fabric.switches[leaf].name, fabric.rails[main[leaf]]));
    }
  }

  void set_rates() {
    ImportedFabric& fabric = result_.fabric;
    std::map<double, std::size_t> rates;
    for (const auto& access : fabric.access) ++rates[access.bandwidth_Bps];
    for (const auto& cable : fabric.cables) ++rates[cable.bandwidth_Bps];
    const double common = std::max_element(rates.begin(), rates.end(), [](const auto& x, const auto& y) {
                            return x.second < y.second;
                          })->first;
    std::string words = "tiers: ";
    words += fmt::format("{} leaves, {} spines, {} cores, by distance from the adapters", fabric.count(Tier::leaf),
                         fabric.count(Tier::spine), fabric.count(Tier::core));
    fabric.findings.push_back(words);
    words = "links: ";
    for (const auto& [rate, count] : rates)
      words += fmt::format("{}{} of {}", words.size() > 7 ? ", " : "", count, in_Gbps(rate));
    if (spec_.link_rate_Bps > 0) {
      const double factor = spec_.link_rate_Bps / common;
      for (auto& access : fabric.access) access.bandwidth_Bps *= factor;
      for (auto& cable : fabric.cables) cable.bandwidth_Bps *= factor;
      words += fmt::format(" in the file; {} taken as {} (link_rate)", in_Gbps(common), in_Gbps(spec_.link_rate_Bps));
    }
    fabric.findings.push_back(words);
  }

  const Wiring& wiring_;
  const ImportSpec& spec_;
  FileProblems problems_;
  Hosts hosts_;
  Tiers tiers_;
  std::vector<std::uint32_t> number_;  // of a switch in the fabric, by device
  InferredFabric result_;
};

}  // namespace

InferredFabric infer_fabric(const Wiring& wiring, const ImportSpec& spec) {
  return Inference(wiring, spec).infer();
}

}  // namespace toposim::topology
