#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <unordered_map>

#include "topology/import/connected.hpp"
#include "topology/import/fields.hpp"
#include "topology/import/graphml_file.hpp"
#include "topology/import/import_error.hpp"
#include "topology/import/packed_file.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint64_t graphml_bytes_max = std::uint64_t{1} << 30;
constexpr std::uint32_t port_numbers_max = 65'535;
constexpr double bandwidth_max_Bps = 1e18;

class GraphmlReader {
 public:
  explicit GraphmlReader(const std::string& path) : problems_(path), text_(whole_text(path, graphml_bytes_max)) {
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) ends_.push_back(at);
  }

  Wiring read() {
    wiring_.file = problems_.file();
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_buffer(text_.data(), text_.size());
    if (!parsed) {
      problems_.add(line_at(parsed.offset), fmt::format("not XML: {}", parsed.description()));
      problems_.throw_if_any();
    }
    const pugi::xml_node graph = document.child("graphml").child("graph");
    if (!graph) {
      problems_.add(0, "no <graphml> with a <graph> in it; of XML files GraphML is read");
      problems_.throw_if_any();
    }
    for (const pugi::xml_node key : document.child("graphml").children("key"))
      names_[key.attribute("id").value()] = key.attribute("attr.name").value();
    for (const pugi::xml_node node : graph.children("node")) device(node);
    for (const pugi::xml_node edge : graph.children("edge")) cable(edge);
    if (problems_.none() && wiring_.devices.empty()) problems_.add(0, "a graph without nodes");
    problems_.throw_if_any();
    number_ports();
    check_connected(wiring_, problems_);
    problems_.throw_if_any();
    return std::move(wiring_);
  }

 private:
  std::uint32_t line_at(std::ptrdiff_t offset) const {
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
    return static_cast<std::uint32_t>(std::lower_bound(ends_.begin(), ends_.end(), at) - ends_.begin() + 1);
  }
  std::uint32_t line_of(const pugi::xml_node& node) const { return line_at(node.offset_debug()); }

  /// The value of a key by its name, whatever its id is.
  std::string_view value(const pugi::xml_node& of, std::string_view name) const {
    for (const pugi::xml_node data : of.children("data")) {
      const std::string_view key = data.attribute("key").value();
      const auto found = names_.find(std::string(key));
      if ((found == names_.end() ? key : std::string_view(found->second)) == name) return data.child_value();
    }
    return {};
  }

  void device(const pugi::xml_node& node) {
    const std::string id = node.attribute("id").value();
    const std::uint32_t line = line_of(node);
    Wiring::Device d;
    const std::string_view kind = value(node, "kind"), name = value(node, "name");
    if (kind == "switch")
      d.kind = Wiring::Kind::a_switch;
    else if (kind == "adapter")
      d.kind = Wiring::Kind::adapter;
    else if (kind == "router")
      d.kind = Wiring::Kind::router;
    else
      return problems_.add(
          line, fmt::format("node '{}' is of kind '{}'; give it a key 'kind' of switch, adapter or router", shown(id),
                            shown(kind)));
    if (name.empty())
      return problems_.add(line, fmt::format("node '{}' has no name; give it a key 'name', of an adapter its host and "
                                             "device",
                                             shown(id)));
    d.name = shown(name);
    d.line = line;
    d.guid = wiring_.devices.size() + 1;
    const auto [found, is_new] = by_id_.try_emplace(id, static_cast<std::uint32_t>(wiring_.devices.size()));
    if (!is_new)
      return problems_.add(line, fmt::format("node '{}' is in line {} too; give each an id of its own", shown(id),
                                             wiring_.devices[found->second].line));
    wiring_.devices.push_back(std::move(d));
  }

  bool end(const pugi::xml_node& edge, const char* side, std::string_view port_name, Wiring::End& end) {
    const std::string id = edge.attribute(side).value();
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) {
      problems_.add(line_of(edge),
                    fmt::format("an edge has '{}' as its {}, and there is no such node", shown(id), side));
      return false;
    }
    end.device = found->second;
    const std::string_view port = value(edge, port_name);
    Fields f(port);
    if (!port.empty() && !(f.number(end.port) && f.rest().empty() && end.port > 0 && end.port <= port_numbers_max)) {
      problems_.add(line_of(edge), fmt::format("{} is '{}'; a port is a number from 1", port_name, shown(port)));
      return false;
    }
    if (end.port > 0 && !ports_.insert({end.device, end.port}).second) {
      problems_.add(line_of(edge), fmt::format("port {} of '{}' has a cable already; a port takes one", end.port,
                                               wiring_.devices[end.device].name));
      return false;
    }
    return true;
  }

  void cable(const pugi::xml_node& edge) {
    Wiring::Cable c;
    c.line = line_of(edge);
    const bool both = end(edge, "source", "source_port", c.a) & end(edge, "target", "target_port", c.b);
    const std::string_view rate = value(edge, "bandwidth_Bps");
    Fields f(rate);
    if (!f.number(c.bandwidth_Bps) || !f.rest().empty() ||
        !(c.bandwidth_Bps >= 1 && c.bandwidth_Bps <= bandwidth_max_Bps))
      return problems_.add(
          c.line, fmt::format("bandwidth_Bps is '{}'; give each edge its bytes per second and direction", shown(rate)));
    if (both && c.a.device == c.b.device)
      return problems_.add(c.line,
                           fmt::format("an edge joins '{}' to itself; remove it", wiring_.devices[c.a.device].name));
    if (both) wiring_.cables.push_back(c);
  }

  /// Ports that are not told get the next free numbers, in order of the file; then cables are as Wiring wants them.
  void number_ports() {
    std::vector<std::uint32_t> next(wiring_.devices.size(), 1);
    for (Wiring::Cable& c : wiring_.cables) {
      for (Wiring::End* e : {&c.a, &c.b}) {
        while (e->port == 0) {
          const std::uint32_t port = next[e->device]++;
          if (ports_.insert({e->device, port}).second) e->port = port;
        }
        wiring_.devices[e->device].ports = std::max(wiring_.devices[e->device].ports, e->port);
      }
      if (std::pair(c.b.device, c.b.port) < std::pair(c.a.device, c.a.port)) std::swap(c.a, c.b);
    }
    std::sort(wiring_.cables.begin(), wiring_.cables.end(), [](const Wiring::Cable& x, const Wiring::Cable& y) {
      return std::pair(x.a.device, x.a.port) < std::pair(y.a.device, y.a.port);
    });
  }

  FileProblems problems_;
  std::string text_;
  std::vector<std::size_t> ends_;                         // of lines
  std::map<std::string, std::string> names_;              // of keys, by id
  std::unordered_map<std::string, std::uint32_t> by_id_;  // looked up only
  std::set<std::pair<std::uint32_t, std::uint32_t>> ports_;
  Wiring wiring_;
};

}  // namespace

Wiring read_graphml(const std::string& path) {
  return GraphmlReader(path).read();
}

}  // namespace toposim::topology
