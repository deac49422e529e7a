#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/scenario/presets.hpp"
#include "sim/scenario/readers.hpp"
#include "topology/fabric_shape.hpp"

namespace toposim::sim {
namespace {

using faults::Component;
using faults::FaultClassSpec;
using faults::FaultKind;
using faults::FaultSpec;

constexpr std::string_view preset_folder = "faults/presets";
constexpr std::size_t most_classes = 200;
constexpr Range rate_range{0, 1e9, true};

constexpr std::pair<std::string_view, Component> component_words[] = {{"gpu", Component::gpu},
                                                                      {"node", Component::node},
                                                                      {"nic", Component::nic},
                                                                      {"access_cable", Component::access_cable},
                                                                      {"uplink_cable", Component::uplink_cable},
                                                                      {"core_cable", Component::core_cable},
                                                                      {"leaf", Component::leaf},
                                                                      {"spine", Component::spine},
                                                                      {"core", Component::core},
                                                                      {"job", Component::job}};
constexpr std::pair<std::string_view, FaultKind> fault_kind_words[] = {{"fail_stop", FaultKind::fail_stop},
                                                                       {"fail_slow", FaultKind::fail_slow}};
constexpr std::pair<std::string_view, faults::Shape> shape_words[] = {{"exponential", faults::Shape::exponential},
                                                                      {"weibull", faults::Shape::weibull}};
constexpr std::pair<std::string_view, faults::RepairShape> repair_words[] = {
    {"constant", faults::RepairShape::constant},
    {"exponential", faults::RepairShape::exponential},
    {"lognormal", faults::RepairShape::lognormal}};

class FaultReader {
 public:
  FaultReader(Problems& problems, FaultSpec& spec, const topology::ClusterSpec* cluster)
      : problems_(problems), spec_(spec), cluster_(cluster) {
    if (cluster != nullptr) shape_ = topology::shape_of(*cluster);
  }

  void read_preset(Section& section, std::string_view key, const YamlNode& name) {
    const auto names = preset_files(preset_folder);
    const YamlNode* preset = name.kind == YamlNode::Kind::scalar ? find_preset_file(preset_folder, name.text) : nullptr;
    if (preset == nullptr) {
      const std::string near = name.kind == YamlNode::Kind::scalar ? nearest(name.text, names) : "";
      section.complain(key, fmt::format("expected a preset ({}), got {}{}", list_words(names), describe(name),
                                        near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
      return;
    }
    spec_.preset = name.text;
    Section fields(preset, name.text, preset->mark, problems_);
    std::string source;
    fields.text(source, "source");
    read_classes(fields);
    fields.finish();
    for (FaultClassSpec& c : spec_.classes)
      if (c.source.empty()) c.source = source;
    preset_classes_ = spec_.classes.size();
  }

  /// From here on classes are the scenario's own, which may change the preset's.
  void enter_scenario() {
    in_scenario_ = true;
    seen_.clear();
  }

  void read_classes(Section& section) {
    const YamlEntry* entry = section.find("classes");
    if (entry == nullptr) return;
    const YamlNode& list = entry->value;
    if (list.kind != YamlNode::Kind::list || list.items.empty() || list.items.size() > most_classes)
      return section.complain("classes",
                              fmt::format("expected a list of 1 to {} fault classes, got {}", most_classes,
                                          list.items.size() > most_classes    ? fmt::format("{}", list.items.size())
                                          : list.kind == YamlNode::Kind::list ? "an empty list"
                                                                              : describe(list)));
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::string path = section.path_of(fmt::format("classes[{}]", i));
      if (list.items[i].kind != YamlNode::Kind::map) {
        problems_.add(list.items[i].mark,
                      fmt::format("{}: expected a mapping with name, component, a rate and repair, got {}", path,
                                  describe(list.items[i])));
        continue;
      }
      Section fields(&list.items[i], path, list.items[i].mark, problems_);
      read_class(fields);
      fields.finish();
    }
  }

  /// Applies `scale`, drops classes that never happen, and checks what is left.
  void finish(Section& section, double scale) {
    std::vector<FaultClassSpec> kept;
    for (FaultClassSpec& c : spec_.classes) {
      const auto found = class_scale_.find(c.name);
      const double factor = scale * (found == class_scale_.end() ? 1 : found->second);
      if (factor == 0) continue;
      c.mtbf_s /= factor;
      kept.push_back(std::move(c));
    }
    spec_.classes = std::move(kept);
    if (problems_.count() > 0) return;
    for (const std::string& problem : faults::problems_of(spec_))
      problems_.add(section.at(), fmt::format("faults: {}", problem));
  }

 private:
  void read_class(Section& section) {
    std::string name;
    section.require({{"name", "the class's key in results, such as gpu_memory"}});
    const bool named = read_name(section, "name", name);
    FaultClassSpec* known = named ? find_class(name) : nullptr;
    const bool changes_preset =
        known != nullptr && static_cast<std::size_t>(known - spec_.classes.data()) < preset_classes_;
    FaultClassSpec fresh;
    fresh.name = name;
    FaultClassSpec& c = changes_preset ? *known : fresh;
    if (named && !seen_.insert(name).second)
      section.complain("name", fmt::format("{} is the name of a class above; give this one its own", in_quotes(name)));

    const std::size_t before = problems_.count();
    if (!changes_preset) {
      section.require({{"component",
                        "what breaks: gpu, node, nic, access_cable, uplink_cable, core_cable, leaf, spine, "
                        "core or job"},
                       {"repair", "how long the repair takes, such as {shape: lognormal, mean: 12h, sigma: 1}"}});
    }
    section.choice<Component>(c.component, "component", component_words);
    section.choice<FaultKind>(c.kind, "kind", fault_kind_words);
    const bool has_rate = read_rate(section, c);
    if (!has_rate && !changes_preset && section.problems().count() == before)
      section.require({{"mtbf",
                        "mean time between faults of one component, such as 50000h; or "
                        "rate_per_1000_node_days; or count and exposure"}});
    read_shapes(section, c);
    if (section.problems().count() == before && cluster_ != nullptr && !changes_preset &&
        components_of(c.component, shape_) == 0 && in_scenario_)
      section.complain("component", fmt::format("this cluster has no {}, so such faults never happen; remove the class",
                                                faults::to_string(c.component)));
    double scale = 1;
    if (section.number(scale, "scale", {0, 1e9})) class_scale_[c.name] = scale;
    section.flag(c.planned, "planned");
    section.text(c.source, "source");
    if (!changes_preset && named) spec_.classes.push_back(std::move(fresh));
  }

  void read_shapes(Section& section, FaultClassSpec& c) {
    section.choice<faults::Shape>(c.shape, "shape", shape_words);
    if (c.shape == faults::Shape::weibull) {
      section.require({{"weibull_k", "the shape of the Weibull, below 1 for infant mortality"}});
      section.number(c.weibull_k, "weibull_k", {faults::weibull_k_min, faults::weibull_k_max});
    } else {
      section.refuse({"weibull_k"}, "only used with shape: weibull");
    }
    if (section.number(c.frailty, "frailty", {0, faults::frailty_max}) && c.frailty > 0 &&
        c.frailty < faults::frailty_min)
      section.complain("frailty", fmt::format("has to be 0, components alike, or {} to {}, got {}", faults::frailty_min,
                                              faults::frailty_max, c.frailty));
    Section repair = section.section("repair");
    repair.choice<faults::RepairShape>(c.repair.shape, "shape", repair_words);
    repair.quantity(c.repair.mean_s, "mean", Dimension::time, {1e-9, faults::repair_mean_s_max});
    if (c.repair.mean_s == 0) repair.require({{"mean", "the mean time to repair, such as 12h"}});
    if (c.repair.shape == faults::RepairShape::lognormal)
      repair.number(c.repair.sigma, "sigma", {0, faults::repair_sigma_max});
    else
      repair.refuse({"sigma"}, "only used with shape: lognormal");
    repair.finish();
    if (c.component == Component::job)
      section.share(c.job_fraction, "job_fraction", up_to_one);
    else
      section.refuse({"job_fraction"}, "only used with component: job");
    if (c.kind == FaultKind::fail_slow) {
      section.require({{"slow_factor", "the share of its speed or bandwidth that is left, such as 50%"}});
      section.share(c.slow_factor, "slow_factor", {0.001, 0.999});
    } else {
      section.refuse({"slow_factor"}, "only used with kind: fail_slow");
    }
  }

  /// One of mtbf, rate_per_1000_node_days, count and exposure. False if there is none, or none that can be used.
  bool read_rate(Section& section, FaultClassSpec& c) {
    double mtbf = 0, rate = 0, count = 0, components = 0, duration = 0;
    bool good = section.quantity(mtbf, "mtbf", Dimension::time, {1e-3, faults::mtbf_s_max});
    const bool per_nodes = section.number(rate, "rate_per_1000_node_days", rate_range);
    const bool counted = section.number(count, "count", rate_range);
    Section exposure = section.section("exposure");
    exposure.require(
        {{"components", "how many such components were watched"}, {"duration", "for how long, such as 54d"}});
    const bool exposed = exposure.number(components, "components", {1, 1e12}) &
                         static_cast<int>(exposure.quantity(duration, "duration", Dimension::time, time_above_zero));
    exposure.finish();

    const int forms = section.has("mtbf") + section.has("rate_per_1000_node_days") +
                      (section.has("count") || section.has("exposure"));
    if (forms > 1) {
      section.complain(section.has("mtbf") ? "mtbf" : "rate_per_1000_node_days",
                       "a rate is given once: keep one of mtbf, rate_per_1000_node_days, and count with exposure");
      return true;
    }
    if (section.has("count") != section.has("exposure"))
      section.require({{"count", "how many faults were counted over the exposure"},
                       {"exposure", "over what they were counted, such as {components: 16384, duration: 54d}"}});
    if (counted && exposed) mtbf = components * duration / count;
    if (per_nodes) mtbf = mtbf_of_rate(section, c.component, rate);
    good = good || (counted && exposed) || (per_nodes && mtbf > 0);
    if (good) c.mtbf_s = mtbf;
    return good || forms > 0;
  }

  /// r per 1000 node-days over n nodes is r n / 1000 days for the whole cluster, shared by its components of a kind.
  double mtbf_of_rate(Section& section, Component component, double rate) {
    if (cluster_ == nullptr) return 1;
    const auto components = static_cast<double>(components_of(component, shape_));
    const auto nodes = static_cast<double>(component == Component::job ? cluster_->nodes : cluster_->total_nodes());
    if (components == 0)
      section.complain("rate_per_1000_node_days", fmt::format("this cluster has no {}", faults::to_string(component)));
    return std::max(1.0, components) * 1000 * 86400 / (rate * nodes);
  }

  FaultClassSpec* find_class(const std::string& name) {
    const auto found =
        std::find_if(spec_.classes.begin(), spec_.classes.end(), [&](const auto& c) { return c.name == name; });
    return found == spec_.classes.end() ? nullptr : &*found;
  }

  Problems& problems_;
  FaultSpec& spec_;
  const topology::ClusterSpec* cluster_;
  topology::FabricShape shape_;
  std::size_t preset_classes_ = 0;
  bool in_scenario_ = false;  ///< reading the scenario's own classes: a preset's may be of parts that are not there
  std::set<std::string> seen_;
  std::map<std::string, double> class_scale_;
};

}  // namespace

std::int64_t components_of(Component component, const topology::FabricShape& shape) {
  switch (component) {
    case Component::gpu:
      return shape.gpus();
    case Component::node:
      return shape.nodes;
    case Component::nic:
      return shape.nics();
    case Component::access_cable:
      return shape.access_cables();
    case Component::uplink_cable:
      return shape.uplink_cables();
    case Component::core_cable:
      return shape.core_cables();
    case Component::leaf:
      return shape.leaves();
    case Component::spine:
      return shape.spines();
    case Component::core:
      return shape.cores();
    case Component::job:
      break;
  }
  return 1;
}

void read_faults(const YamlEntry& entry, Problems& problems, FaultSpec& faults, faults::ReplaySpec& replay,
                 const topology::ClusterSpec* cluster) {
  const YamlNode& node = entry.value;
  FaultReader reader(problems, faults, cluster);
  if (node.kind != YamlNode::Kind::map) {
    // A bare word: none, or a preset.
    YamlNode root;
    root.kind = YamlNode::Kind::map;
    root.entries.push_back(entry);
    Section section(&root, "", entry.mark, problems);
    if (node.kind == YamlNode::Kind::scalar && node.text == "none") return;
    reader.read_preset(section, "faults", node);
    return reader.finish(section, 1);
  }
  Section section(&node, "faults", entry.mark, problems);
  if (section.has("trace")) {
    Section trace = section.section("trace");
    read_replay(trace, replay);
    section.refuse({"preset", "classes", "scale"}, "has no place beside trace, which holds all faults; remove one");
    return section.finish();
  }
  if (!section.has("preset") && !section.has("classes"))
    problems.add(entry.mark, "faults: expected a preset, classes or both, or a trace; faults: none if nothing breaks");
  if (const YamlEntry* preset = section.find("preset"); preset != nullptr)
    reader.read_preset(section, "preset", preset->value);
  reader.enter_scenario();
  reader.read_classes(section);
  double scale = 1;
  section.number(scale, "scale", {0, 1e9});
  reader.finish(section, scale);
  section.finish();
}

}  // namespace toposim::sim
