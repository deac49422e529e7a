#pragma once
// The one SimGrid engine of the process. Everything that depends on SimGrid's API is in the simgrid_* files here and in
// sim/exact.
//
// SimGrid 3.32 allows one Engine per process, binds actors to the thread that made it, and never turns its clock back.
// So: one thread owns the engine; work is handed to it (with_simgrid); the platform is a pool of anonymous links and
// hosts that each piece of work configures for itself; and durations are summed from the engine's steps
// (elapsed_s), which do not depend on where the clock stands: the network and CPU models run in `Full` mode, where a
// step is the smallest of remaining / rate. The same work therefore gives the same bits however much ran before it.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <simgrid/s4u.hpp>
#include <span>
#include <vector>

namespace toposim::sim {

/// Serves whatever route was set last, to any pair of hosts. SimGrid asks for a route once, when a communication
/// starts.
class RouteZone;

class SimgridEngine {
 public:
  SimgridEngine();
  ~SimgridEngine();
  SimgridEngine(const SimgridEngine&) = delete;
  SimgridEngine& operator=(const SimgridEngine&) = delete;

  /// Makes at least so many links and hosts; earlier pointers into the pool end.
  void reserve(std::size_t links, std::size_t hosts);

  simgrid::s4u::Link* link(std::size_t index) const { return links_[index]; }
  simgrid::s4u::Host* host(std::size_t index) const { return hosts_[index]; }

  /// Starts a transfer over links of the pool, a link listed n times being charged n-fold. `tag` comes back with the
  /// completion. Keep what is returned until then. Callable from the engine's own thread and from actors.
  simgrid::s4u::CommPtr start_transfer(std::span<const std::uint32_t> route, std::uint64_t bytes,
                                       simgrid::s4u::Host* from, simgrid::s4u::Host* to, std::size_t tag);

  /// Runs until nothing is left to do. on_done(tag) is called as each transfer that no actor waits for is done.
  void run(std::function<void(std::size_t tag)> on_done = {});

  double elapsed_s() const;  ///< since the last reset
  void reset_elapsed();

 private:
  void build(std::size_t links, std::size_t hosts);

  std::unique_ptr<simgrid::s4u::Engine> engine_;
  RouteZone* zone_ = nullptr;  // owned by engine_
  std::vector<simgrid::s4u::Link*> links_;
  std::vector<simgrid::s4u::Host*> hosts_;
  std::function<void(std::size_t)> on_done_;
};

/// Runs `work` on SimGrid's thread, waits for it, and passes its exception on. Any thread but SimGrid's own; one piece
/// of work at a time, in the order asked for. The thread starts with the first call and is joined at exit.
void with_simgrid(const std::function<void(SimgridEngine&)>& work);

}  // namespace toposim::sim
