#include "sim/fabric/flow_classes.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

namespace toposim::sim {
namespace {

using Colours = std::vector<std::uint64_t>;
using Crossing = MaxMinProblem::Crossing;

/// A difference spreads by one flow a round. Fabrics need three to ten; a long chain of flows would need half its
/// length, and is then left as it is.
constexpr int rounds_max = 64;

/// Finaliser of MurmurHash3: every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

Colours colours_of(const std::vector<double>& values) {
  Colours colours(values.size());
  std::ranges::transform(values, colours.begin(), [](double v) { return mix(std::bit_cast<std::uint64_t>(v)); });
  return colours;
}

std::uint64_t seen_as(std::uint64_t colour, std::uint32_t times) {
  return mix(colour + 0x9e3779b97f4a7c15ULL * times);
}

/// A flow sees the multiset of its links' colours, then a link that of its flows' new colours. Sums, so that the order
/// of flows and links does not matter.
void refine(const MaxMinProblem& problem, Colours& flows, Colours& links) {
  Colours load(links.size(), 0);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    std::uint64_t route = 0;
    for (const Crossing& c : problem.crossings_of(f)) route += seen_as(links[c.link], c.times);
    flows[f] = mix(flows[f] ^ mix(route));
    for (const Crossing& c : problem.crossings_of(f)) load[c.link] += seen_as(flows[f], c.times);
  }
  for (std::size_t l = 0; l < links.size(); ++l) links[l] = mix(links[l] ^ mix(load[l]));
}

struct Numbered {
  std::vector<std::uint32_t> class_of;
  std::vector<std::uint32_t> first, size;  ///< by class
};

Numbered number(const Colours& colours) {
  Numbered out;
  out.class_of.resize(colours.size());
  std::unordered_map<std::uint64_t, std::uint32_t> seen;  // looked up only, never walked
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const auto [at, is_new] = seen.try_emplace(colours[i], static_cast<std::uint32_t>(out.first.size()));
    if (is_new) {
      out.first.push_back(static_cast<std::uint32_t>(i));
      out.size.push_back(0);
    }
    out.class_of[i] = at->second;
    ++out.size[at->second];
  }
  return out;
}

/// One link of each class, one flow of each class.
MaxMinProblem quotient_of(const MaxMinProblem& problem, const Numbered& flows, const Numbered& links) {
  MaxMinProblem quotient;
  for (const std::uint32_t link : links.first) quotient.capacity_Bps.push_back(problem.capacity_Bps[link]);
  std::vector<Crossing> row;
  for (std::size_t c = 0; c < flows.first.size(); ++c) {
    row.clear();
    for (const Crossing& crossing : problem.crossings_of(flows.first[c]))
      row.push_back({links.class_of[crossing.link], crossing.times});
    std::ranges::sort(row, {}, &Crossing::link);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < row.size();) {
      const std::uint32_t link = row[i].link;
      std::uint64_t crossed = 0;  // k: by one flow of the class
      for (; i < row.size() && row[i].link == link; ++i) crossed += row[i].times;
      const std::uint64_t all = crossed * flows.size[c];
      const std::uint64_t times = all / links.size[link];
      if (all % links.size[link] != 0 || times > std::numeric_limits<std::uint32_t>::max())
        throw std::logic_error("flow classes: the partition of flows and links is not equitable");
      row[kept++] = {link, static_cast<std::uint32_t>(times)};
    }
    quotient.add_flow(problem.bytes[flows.first[c]], std::span(row).first(kept));
  }
  return quotient;
}

}  // namespace

FlowClasses flow_classes(const MaxMinProblem& problem) {
  Colours flow_colours = colours_of(problem.bytes), link_colours = colours_of(problem.capacity_Bps);
  // Each round splits classes or is the last one. A class is split by what its members see, so counts only grow.
  std::size_t before = 0;
  for (int round = 0; round < rounds_max; ++round) {
    refine(problem, flow_colours, link_colours);
    Numbered flows = number(flow_colours);
    const Numbered links = number(link_colours);
    const std::size_t now = flows.first.size() + links.first.size();
    if (now == before) return {std::move(flows.class_of), quotient_of(problem, flows, links)};
    before = now;
  }
  FlowClasses each{std::vector<std::uint32_t>(problem.flows()), problem};
  std::iota(each.class_of.begin(), each.class_of.end(), 0U);
  return each;
}

}  // namespace toposim::sim
