#include "topology/semantic/min_cost_repair.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>

namespace toposim::topology {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t nobody = 0xffff'ffff;

struct Step {  // along an arc
  std::uint32_t to = 0;
  std::uint32_t sample = nobody;  // which moves; nobody: to or from the outlet
  double cost = 0;
};

// The cheapest moves from one domain to another. A few are kept, so that when the first is taken the next is known.
struct Arc {
  static constexpr std::uint32_t kept = 6;

  std::uint32_t to = 0, size = 0;
  bool more = false;  // some are not listed; they cost no less than those that are
  std::array<std::pair<double, std::uint32_t>, kept> moves{};

  void add(double cost, std::uint32_t sample) {
    if (size == kept || (more && (size == 0 || cost >= moves[size - 1].first))) {
      more = true;
      if (size < kept || cost >= moves[size - 1].first) return;
    }
    std::uint32_t at = size < kept ? size++ : size - 1;
    for (; at > 0 && moves[at - 1].first > cost; --at) moves[at] = moves[at - 1];
    moves[at] = {cost, sample};
  }
  /// False where the cheapest move is no longer known.
  bool remove(std::uint32_t sample) {
    std::uint32_t at = 0;
    while (at < size && moves[at].second != sample) ++at;
    if (at == size) return true;
    for (--size; at < size; ++at) moves[at] = moves[at + 1];
    return size > 0 || !more;
  }
};

class DomainGraph {
 public:
  DomainGraph(const CandidateTable& table, const DomainBounds& bounds, std::vector<std::uint32_t>& labels,
              std::vector<double>& prices)
      : table_(table),
        bounds_(bounds),
        labels_(labels),
        domains_(static_cast<std::uint32_t>(prices.size())),
        price_(prices),
        members_(domains_),
        arcs_(domains_),
        stale_(domains_, true),
        outflow_(domains_),
        excess_(domains_ + 1, 0),
        slot_(domains_, nobody) {
    price_.push_back(0);
    place_.resize(table.samples);
    for (std::uint32_t i = 0; i < table.samples; ++i) {
      place_[i] = static_cast<std::uint32_t>(members_[labels[i]].size());
      members_[labels[i]].push_back(i);
    }
    // Complementary slackness fixes the outlet's flows; what they do not take is excess.
    for (std::uint32_t j = 0; j < domains_; ++j) {
      const auto count = static_cast<std::int64_t>(members_[j].size());
      const auto least = static_cast<std::int64_t>(bounds.least[j]), most = static_cast<std::int64_t>(bounds.most[j]);
      outflow_[j] = price_[j] > 0 ? most : price_[j] < 0 ? least : std::clamp(count, least, most);
      excess_[j] = count - outflow_[j];
      excess_[domains_] += outflow_[j];
    }
    excess_[domains_] -= static_cast<std::int64_t>(table.samples);
  }

  RepairReport run() {
    const std::uint64_t limit = std::max<std::uint64_t>(table_.cluster.size() * 64, 500'000'000);
    RepairReport report;
    for (std::uint32_t node = 0; node <= domains_; ++node) {
      while (excess_[node] > 0 && work_ < limit && follow_cheapest_chain(node, report)) ++report.chains;
    }
    for (std::uint32_t j = 0; j < domains_; ++j) price_[j] -= price_[domains_];
    price_.pop_back();
    report.complete = std::all_of(excess_.begin(), excess_.end(), [](std::int64_t e) { return e == 0; });
    return report;
  }

 private:
  std::uint32_t outlet() const { return domains_; }

  // visit(domain, cost of moving there) for the other candidates of a sample in `from`; none if its domain is no
  // candidate of its own.
  template <class Visit>
  void for_each_move(std::uint32_t sample, std::uint32_t from, Visit visit) const {
    const std::uint16_t* const clusters = table_.cluster.data() + std::uint64_t{sample} * table_.width;
    const float* const squares = table_.square.data() + std::uint64_t{sample} * table_.width;
    const auto mine = std::find(clusters, clusters + table_.width, from) - clusters;
    if (mine == table_.width) return;
    const double here = squares[mine];
    for (std::uint32_t k = 0; k < table_.width; ++k)
      if (clusters[k] != from) visit(clusters[k], static_cast<double>(squares[k]) - here);
  }

  void refresh(std::uint32_t from) {
    std::vector<Arc>& arcs = arcs_[from];
    arcs.clear();
    for (const std::uint32_t i : members_[from]) {
      for_each_move(i, from, [&](std::uint32_t to, double cost) {
        if (slot_[to] == nobody) {
          slot_[to] = static_cast<std::uint32_t>(arcs.size());
          arcs.emplace_back().to = to;
        }
        arcs[slot_[to]].add(cost, i);
      });
    }
    for (const Arc& arc : arcs) slot_[arc.to] = nobody;
    std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) { return a.to < b.to; });
    work_ += members_[from].size() * table_.width;
    stale_[from] = false;
  }

  // Where the arc to `to` is or belongs.
  std::vector<Arc>::iterator arc_to(std::uint32_t from, std::uint32_t to) {
    return std::lower_bound(arcs_[from].begin(), arcs_[from].end(), to,
                            [](const Arc& arc, std::uint32_t domain) { return arc.to < domain; });
  }

  void forget(std::uint32_t sample, std::uint32_t from) {
    if (stale_[from]) return;
    bool known = true;
    for_each_move(sample, from, [&](std::uint32_t to, double) { known = arc_to(from, to)->remove(sample) && known; });
    stale_[from] = !known;
  }

  void learn(std::uint32_t sample, std::uint32_t from) {
    if (stale_[from]) return;
    for_each_move(sample, from, [&](std::uint32_t to, double cost) {
      auto at = arc_to(from, to);
      if (at == arcs_[from].end() || at->to != to) {
        at = arcs_[from].emplace(at);
        at->to = to;
      }
      at->add(cost, sample);
    });
  }

  template <class Visit>
  void for_each_arc(std::uint32_t from, Visit visit) {
    if (from == outlet()) {
      for (std::uint32_t j = 0; j < domains_; ++j)
        if (outflow_[j] > static_cast<std::int64_t>(bounds_.least[j])) visit(Step{j, nobody, 0});
      work_ += domains_;
      return;
    }
    if (stale_[from]) refresh(from);
    for (const Arc& arc : arcs_[from])
      if (arc.size > 0) visit(Step{arc.to, arc.moves[0].second, arc.moves[0].first});
    if (outflow_[from] < static_cast<std::int64_t>(bounds_.most[from])) visit(Step{outlet(), nobody, 0});
    work_ += arcs_[from].size();
  }

  // Dijkstra on reduced costs until the first node that lacks samples; then one sample moves along every arc.
  bool follow_cheapest_chain(std::uint32_t source, RepairReport& report) {
    distance_.assign(domains_ + 1, infinity);
    came_by_.assign(domains_ + 1, Step{});
    came_from_.assign(domains_ + 1, nobody);
    settled_.clear();
    done_.assign(domains_ + 1, false);
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance_[source] = 0;
    queue.emplace(0.0, source);
    std::uint32_t target = nobody;
    while (!queue.empty()) {
      const double distance = queue.top().first;
      const std::uint32_t node = queue.top().second;
      queue.pop();
      if (done_[node]) continue;
      done_[node] = true;
      settled_.push_back(node);
      if (excess_[node] < 0) {
        target = node;
        break;
      }
      for_each_arc(node, [&](const Step& arc) {
        // Rounding may leave a reduced cost just below 0.
        const double reached = distance + std::max(0.0, arc.cost + price_[arc.to] - price_[node]);
        if (reached >= distance_[arc.to]) return;
        distance_[arc.to] = reached;
        came_by_[arc.to] = arc;
        came_from_[arc.to] = node;
        queue.emplace(reached, arc.to);
      });
    }
    if (target == nobody) return false;
    for (const std::uint32_t node : settled_) price_[node] += distance_[target] - distance_[node];
    for (std::uint32_t node = target; node != source; node = came_from_[node]) {
      move_along(came_from_[node], came_by_[node], report);
    }
    --excess_[source];
    ++excess_[target];
    return true;
  }

  void move_along(std::uint32_t from, const Step& arc, RepairReport& report) {
    if (arc.to == outlet()) {
      ++outflow_[from];
    } else if (from == outlet()) {
      --outflow_[arc.to];
    } else {
      forget(arc.sample, from);
      auto& old = members_[from];
      const std::uint32_t place = place_[arc.sample];
      old[place] = old.back();
      place_[old[place]] = place;
      old.pop_back();
      place_[arc.sample] = static_cast<std::uint32_t>(members_[arc.to].size());
      members_[arc.to].push_back(arc.sample);
      labels_[arc.sample] = arc.to;
      learn(arc.sample, arc.to);
      ++report.moved;
    }
  }

  const CandidateTable& table_;
  const DomainBounds& bounds_;
  std::vector<std::uint32_t>& labels_;
  std::uint32_t domains_;
  std::vector<double>& price_;  // the outlet's last
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::uint32_t> place_;  // of a sample among its domain's members
  std::vector<std::vector<Arc>> arcs_;
  std::vector<bool> stale_;
  std::vector<std::int64_t> outflow_, excess_;
  std::vector<std::uint32_t> slot_;  // scratch of refresh()
  std::vector<double> distance_;
  std::vector<Step> came_by_;
  std::vector<std::uint32_t> came_from_, settled_;
  std::vector<bool> done_;
  std::uint64_t work_ = 0;
};

}  // namespace

RepairReport repair_balance(const CandidateTable& table, const DomainBounds& bounds, std::vector<std::uint32_t>& labels,
                            std::vector<double>& prices) {
  return DomainGraph(table, bounds, labels, prices).run();
}

}  // namespace toposim::topology
