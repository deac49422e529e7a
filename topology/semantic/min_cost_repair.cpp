#include "topology/semantic/min_cost_repair.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace toposim::topology {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t nobody = 0xffff'ffff;

struct Arc {
  std::uint32_t to = 0;
  std::uint32_t sample = nobody;  // which moves; nobody: an arc of the outlet
  double cost = 0;
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
        cheapest_(domains_, infinity),
        cheapest_sample_(domains_) {
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

  // Cheapest move from `from` to every other domain.
  void refresh(std::uint32_t from) {
    std::vector<std::uint32_t> reached;
    for (const std::uint32_t i : members_[from]) {
      const std::uint64_t at = std::uint64_t{i} * table_.width;
      const std::uint16_t* const clusters = table_.cluster.data() + at;
      const std::uint16_t* const mine = std::find(clusters, clusters + table_.width, from);
      if (mine == clusters + table_.width) continue;
      const double here = table_.square[at + static_cast<std::uint64_t>(mine - clusters)];
      for (std::uint32_t k = 0; k < table_.width; ++k) {
        const std::uint32_t to = clusters[k];
        if (to == from) continue;
        const double cost = static_cast<double>(table_.square[at + k]) - here;
        if (cheapest_[to] == infinity) reached.push_back(to);
        if (cost < cheapest_[to]) {
          cheapest_[to] = cost;
          cheapest_sample_[to] = i;
        }
      }
    }
    work_ += members_[from].size() * table_.width;
    std::sort(reached.begin(), reached.end());
    arcs_[from].clear();
    for (const std::uint32_t to : reached) {
      arcs_[from].push_back({to, cheapest_sample_[to], cheapest_[to]});
      cheapest_[to] = infinity;
    }
    stale_[from] = false;
  }

  template <class Visit>
  void for_each_arc(std::uint32_t from, Visit visit) {
    if (from == outlet()) {
      for (std::uint32_t j = 0; j < domains_; ++j)
        if (outflow_[j] > static_cast<std::int64_t>(bounds_.least[j])) visit(Arc{j, nobody, 0});
      work_ += domains_;
      return;
    }
    if (stale_[from]) refresh(from);
    for (const Arc& arc : arcs_[from]) visit(arc);
    if (outflow_[from] < static_cast<std::int64_t>(bounds_.most[from])) visit(Arc{outlet(), nobody, 0});
    work_ += arcs_[from].size();
  }

  // Dijkstra on reduced costs until the first node that lacks samples; then one sample moves along every arc.
  bool follow_cheapest_chain(std::uint32_t source, RepairReport& report) {
    distance_.assign(domains_ + 1, infinity);
    came_by_.assign(domains_ + 1, Arc{});
    came_from_.assign(domains_ + 1, nobody);
    settled_.clear();
    done_.assign(domains_ + 1, false);
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance_[source] = 0;
    queue.emplace(0.0, source);
    std::uint32_t target = nobody;
    while (!queue.empty()) {
      const auto [distance, node] = queue.top();
      queue.pop();
      if (done_[node]) continue;
      done_[node] = true;
      settled_.push_back(node);
      if (excess_[node] < 0) {
        target = node;
        break;
      }
      for_each_arc(node, [&](const Arc& arc) {
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

  void move_along(std::uint32_t from, const Arc& arc, RepairReport& report) {
    if (arc.to == outlet()) {
      ++outflow_[from];
    } else if (from == outlet()) {
      --outflow_[arc.to];
    } else {
      auto& old = members_[from];
      const std::uint32_t place = place_[arc.sample];
      old[place] = old.back();
      place_[old[place]] = place;
      old.pop_back();
      place_[arc.sample] = static_cast<std::uint32_t>(members_[arc.to].size());
      members_[arc.to].push_back(arc.sample);
      labels_[arc.sample] = arc.to;
      stale_[from] = stale_[arc.to] = true;
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
  std::vector<double> cheapest_;  // scratch of refresh()
  std::vector<std::uint32_t> cheapest_sample_;
  std::vector<double> distance_;
  std::vector<Arc> came_by_;
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
