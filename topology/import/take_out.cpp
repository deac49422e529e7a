#include "topology/import/take_out.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/import/connected.hpp"
#include "topology/import/fields.hpp"
#include "topology/import/import_error.hpp"

namespace toposim::topology {
namespace {

class Unplugging {
 public:
  explicit Unplugging(Wiring& wiring) : wiring_(wiring), problems_(wiring.file), dead_(wiring.cables.size(), false) {}

  void unplug(const std::vector<std::string>& names) {
    for (const std::string& name : names) unplug(name);
    problems_.throw_if_any();
    remove();
    check_connected(wiring_, problems_);
    problems_.throw_if_any();
  }

 private:
  void unplug(const std::string& name) {
    if (unplug_where(name, 0)) return;
    const std::size_t word = name.rfind(" port ");
    std::uint32_t port = 0;
    Fields f(std::string_view(name).substr(word == std::string::npos ? name.size() : word + 6));
    if (f.number(port) && f.rest().empty() && port > 0 && unplug_where(name.substr(0, word), port)) return;
    problems_.add(0, fmt::format("without '{}': it has no such device, and no cable there; write a name such as "
                                 "'{}', or '{} port 1'",
                                 shown(name), wiring_.devices.front().name, wiring_.devices.front().name));
  }

  /// Cables of devices of this name; port 0: all. Whether there were any.
  bool unplug_where(std::string_view name, std::uint32_t port) {
    bool any = false;
    for (std::size_t i = 0; i < wiring_.cables.size(); ++i) {
      for (const Wiring::End& end : {wiring_.cables[i].a, wiring_.cables[i].b}) {
        if (wiring_.devices[end.device].name != name || (port != 0 && end.port != port)) continue;
        dead_[i] = true;
        any = true;
      }
    }
    return any;
  }

  void remove() {
    std::vector<Wiring::Cable> cables;
    std::vector<bool> used(wiring_.devices.size(), false);
    for (std::size_t i = 0; i < dead_.size(); ++i) {
      if (dead_[i]) continue;
      cables.push_back(wiring_.cables[i]);
      used[cables.back().a.device] = used[cables.back().b.device] = true;
    }
    std::vector<std::uint32_t> number(used.size(), 0);
    std::vector<Wiring::Device> devices;
    for (std::size_t d = 0; d < used.size(); ++d) {
      number[d] = static_cast<std::uint32_t>(devices.size());
      if (used[d]) devices.push_back(std::move(wiring_.devices[d]));
    }
    for (Wiring::Cable& cable : cables) {
      cable.a.device = number[cable.a.device];
      cable.b.device = number[cable.b.device];
    }
    wiring_.devices = std::move(devices);
    wiring_.cables = std::move(cables);
  }

  Wiring& wiring_;
  FileProblems problems_;
  std::vector<bool> dead_;  // by cable
};

}  // namespace

void take_out(Wiring& wiring, const std::vector<std::string>& names) {
  if (!names.empty()) Unplugging(wiring).unplug(names);
}

}  // namespace toposim::topology
