#include "sim/fabric/simgrid_engine.hpp"

#include <signal.h>

#include <algorithm>
#include <array>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <string>
#include <utility>

namespace toposim::sim {

class RouteZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  RouteZone() : NetZoneImpl("fabric") {}

  std::vector<simgrid::kernel::resource::StandardLinkImpl*> route;

  void get_local_route(const simgrid::kernel::routing::NetPoint*, const simgrid::kernel::routing::NetPoint*,
                       simgrid::kernel::routing::Route* into, double*) override {
    into->link_list_.insert(into->link_list_.end(), route.begin(), route.end());
  }
  void get_graph(const s_xbt_graph_t*, std::map<std::string, xbt_node_t, std::less<>>*,
                 std::map<std::string, xbt_edge_t, std::less<>>*) override {}
};

namespace {

// SimGrid's signals are global and cannot be disconnected one by one: connect once, to these.
double elapsed = 0;
std::function<void(std::size_t)>* done = nullptr;

void connect_signals() {
  static const bool once = [] {
    simgrid::s4u::Engine::on_time_advance_cb([](double step_s) { elapsed += step_s; });
    simgrid::s4u::Activity::on_completion_cb([](const simgrid::s4u::Activity& activity) {
      // Transfers carry their tag, plus one, as data.
      const auto tag = reinterpret_cast<std::uintptr_t>(activity.get_data<void>());
      if (tag != 0 && done != nullptr && *done) (*done)(tag - 1);
    });
    return true;
  }();
  static_cast<void>(once);
}

/// Engine's constructor takes SIGINT, SIGSEGV and SIGBUS for itself; they are the application's.
class KeepSignalHandlers {
 public:
  KeepSignalHandlers() {
    for (auto& [number, action] : kept_) sigaction(number, nullptr, &action);
  }
  ~KeepSignalHandlers() {
    for (auto& [number, action] : kept_) sigaction(number, &action, nullptr);
  }
  KeepSignalHandlers(const KeepSignalHandlers&) = delete;
  KeepSignalHandlers& operator=(const KeepSignalHandlers&) = delete;

 private:
  std::array<std::pair<int, struct sigaction>, 3> kept_{{{SIGINT, {}}, {SIGSEGV, {}}, {SIGBUS, {}}}};
};

std::unique_ptr<simgrid::s4u::Engine> make_engine() {
  const KeepSignalHandlers keep;
  // Options are read with the first engine of the process and stay.
  //  - CM02 without cross-traffic and TCP window: a link is shared max-min fairly and nothing else slows a transfer.
  //  - Full: see the header. Precisions: two rates, or two dates, closer than this are one (SimGrid's defaults, 1e-5
  //    relative and 1e-9 s, are coarser than the phases of a step).
  std::array<std::string, 11> options{"toposim",
                                      "--log=root.thresh:critical",
                                      "--cfg=debug/clean-atexit:no",
                                      "--cfg=network/model:CM02",
                                      "--cfg=network/crosstraffic:no",
                                      "--cfg=network/TCP-gamma:0",
                                      "--cfg=network/optim:Full",
                                      "--cfg=network/maxmin-selective-update:yes",
                                      "--cfg=cpu/optim:Full",
                                      "--cfg=maxmin/precision:1e-12",
                                      "--cfg=surf/precision:1e-13"};
  std::array<char*, options.size() + 1> argv{};
  std::ranges::transform(options, argv.begin(), [](std::string& option) { return option.data(); });
  int argc = static_cast<int>(options.size());
  return std::make_unique<simgrid::s4u::Engine>(&argc, argv.data());
}

}  // namespace

SimgridEngine::SimgridEngine() {
  build(1024, 2);
  connect_signals();
}

SimgridEngine::~SimgridEngine() = default;

void SimgridEngine::build(std::size_t links, std::size_t hosts) {
  links_.clear();
  hosts_.clear();
  engine_.reset();  // before the next one: there can be only one
  engine_ = make_engine();
  zone_ = new RouteZone;  // the first zone of an engine becomes its root, which the engine owns
  for (std::size_t h = 0; h < hosts; ++h) hosts_.push_back(zone_->create_host("host" + std::to_string(h), {1.0}));
  for (std::size_t l = 0; l < links; ++l) links_.push_back(zone_->create_link("link" + std::to_string(l), {1.0}));
  zone_->seal();  // Engine::run seals only the first platform of a process
}

void SimgridEngine::reserve(std::size_t links, std::size_t hosts) {
  if (links <= links_.size() && hosts <= hosts_.size()) return;
  const auto grown = [](std::size_t wanted, std::size_t have) {
    return wanted <= have ? have : std::max(wanted, 2 * have);
  };
  build(grown(links, links_.size()), grown(hosts, hosts_.size()));
}

simgrid::s4u::CommPtr SimgridEngine::start_transfer(std::span<const std::uint32_t> route, std::uint64_t bytes,
                                                    simgrid::s4u::Host* from, simgrid::s4u::Host* to, std::size_t tag) {
  zone_->route.clear();
  for (const std::uint32_t link : route) zone_->route.push_back(links_[link]->get_impl());
  simgrid::s4u::CommPtr comm = simgrid::s4u::Comm::sendto_init();
  comm->set_data(reinterpret_cast<void*>(static_cast<std::uintptr_t>(tag) + 1));
  comm->set_payload_size(bytes)->set_source(from)->set_destination(to);  // complete, so it starts
  return comm;
}

void SimgridEngine::run(std::function<void(std::size_t)> on_done) {
  on_done_ = std::move(on_done);
  done = &on_done_;
  engine_->run();
  done = nullptr;
}

double SimgridEngine::elapsed_s() const {
  return elapsed;
}
void SimgridEngine::reset_elapsed() {
  elapsed = 0;
}

}  // namespace toposim::sim
