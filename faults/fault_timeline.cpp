#include "faults/fault_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "faults/error.hpp"
#include "faults/random_stream.hpp"

namespace toposim::faults {

namespace {

// The last counter word tells two kinds of blocks apart. Upper words: one block serves four components, word c % 4 of
// block c / 4 being the upper half of component c's gap. Detail: one block per fault, paid only by components that
// fail.
constexpr std::uint32_t upper_block = 0, detail_block = 1;

std::uint64_t draw63(std::uint32_t upper, std::uint32_t lower) {
  return (static_cast<std::uint64_t>(upper) << 32 | lower) >> 1;
}

}  // namespace

FaultModel::FaultModel(const FaultSpec& spec, std::vector<std::uint32_t> components)
    : spec_(spec), counts_(std::move(components)) {
  if (const auto problems = problems_of(spec_); !problems.empty())
    throw FaultError(fmt::format("{}", fmt::join(problems, "\n")));
  if (counts_.size() != spec_.classes.size())
    throw FaultError(fmt::format("{} fault classes but component counts for {}; give one count per class",
                                 spec_.classes.size(), counts_.size()));
  for (const FaultClassSpec& c : spec_.classes) {
    gaps_.emplace_back(c);
    repairs_.emplace_back(c.repair);
  }
}

std::uint64_t FaultModel::total_components() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

double FaultModel::rate_per_s(std::uint32_t fault_class) const {
  return counts_[fault_class] / spec_.classes[fault_class].mtbf_s;
}

void FaultModel::draw_class(std::uint32_t fault_class, std::uint64_t seed, std::uint32_t run, std::int64_t horizon_ns,
                            FaultTimeline& timeline) const {
  const GapDistribution& gap = gaps_[fault_class];
  const RepairDistribution& repair = repairs_[fault_class];
  const Frailty frailty(spec_.classes[fault_class].frailty);
  const StreamKey key = stream_key(seed, StreamPurpose::fault_class, spec_.classes[fault_class].name);

  const auto refuse = [&] {
    const FaultClassSpec& c = spec_.classes[fault_class];
    throw FaultError(fmt::format(
        "fault class '{}' takes the draw beyond {} faults in {:g} s ({} components, mean gap {:g} s, mean repair {:g} "
        "s); give a longer mtbf or a shorter duration",
        c.name, events_per_draw_max, static_cast<double>(horizon_ns) * 1e-9, counts_[fault_class], c.mtbf_s,
        c.repair.mean_s));
  };
  // At least this many are expected (renewal theory: E[N(t)] >= t / mean - 1), so there is no need to try.
  const double cycle_ns = (spec_.classes[fault_class].mtbf_s + spec_.classes[fault_class].repair.mean_s) * 1e9;
  if (counts_[fault_class] * (static_cast<double>(horizon_ns) / cycle_ns - 1) >
      static_cast<double>(events_per_draw_max))
    refuse();

  const auto draw_component = [&](std::uint32_t component, std::uint32_t first_upper, std::int64_t rate_ppm) {
    std::uint32_t upper = first_upper;
    std::int64_t now_ns = 0;
    for (std::uint32_t fault = 0;; ++fault) {
      const auto detail = random_block(key, component, fault, run, detail_block);
      const std::uint64_t v = draw63(upper, detail[0]);
      std::int64_t gap_ns = fault == 0 ? gap.first_gap_ns(v) : gap.gap_ns(v);
      if (!frailty.alike()) gap_ns = Frailty::stretched_ns(gap_ns, rate_ppm);
      if (gap_ns >= horizon_ns - now_ns) return;
      if (timeline.size() >= events_per_draw_max) refuse();
      const std::int64_t start_ns = now_ns + gap_ns;
      const std::int64_t repair_ns = repair.repair_ns(draw63(detail[1], detail[2]));
      timeline.push_back({start_ns, repair_ns, fault_class, component, detail[3]});
      if (repair_ns >= horizon_ns - start_ns) return;
      now_ns = start_ns + repair_ns;
      upper = random_block(key, component / 4, fault + 1, run, upper_block)[component % 4];
    }
  };

  // Most components never fail within the horizon. The upper 32 bits of their first draw show it, without a logarithm;
  // with a margin for rounding, so that for the rest the rounded gap itself decides.
  const auto last_upper_at = [&](double rate) {
    const auto within_ns = static_cast<std::int64_t>(
        std::min(static_cast<double>(horizon_ns) * rate, static_cast<double>(longest_time_ns)));
    const double threshold = gap.first_fault_probability(within_ns + gap_grid_max_ns) * 0x1p32 + 2;
    return threshold >= 0x1p32 ? std::numeric_limits<std::uint32_t>::max() : static_cast<std::uint32_t>(threshold);
  };
  const std::uint32_t last_upper = last_upper_at(1);
  // A component is as frail in one class as in another.
  const StreamKey frailty_key =
      stream_key(seed, StreamPurpose::frailty, to_string(spec_.classes[fault_class].component));
  const std::uint32_t count = counts_[fault_class];
  for (std::uint64_t first = 0; first < count; first += 4) {
    const auto component = static_cast<std::uint32_t>(first);
    const auto upper = random_block(key, component / 4, 0, run, upper_block);
    const std::uint32_t lanes = std::min<std::uint32_t>(4, count - component);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (frailty.alike()) {
        if (upper[lane] <= last_upper) draw_component(component + lane, upper[lane], 0);
        continue;
      }
      const auto words = random_block(frailty_key, component + lane, run, 0, 0);
      const std::int64_t rate_ppm = frailty.rate_ppm(draw63(words[0], words[1]));
      if (upper[lane] <= last_upper_at(static_cast<double>(rate_ppm) * 1e-6))
        draw_component(component + lane, upper[lane], rate_ppm);
    }
  }
}

FaultTimeline FaultModel::draw(std::uint64_t seed, std::uint32_t run, std::int64_t horizon_ns) const {
  if (horizon_ns < 0 || horizon_ns > longest_time_ns)
    throw FaultError(fmt::format("faults cannot be drawn over {:g} s; expected 0 to {:g} s (a hundred years)",
                                 static_cast<double>(horizon_ns) * 1e-9, static_cast<double>(longest_time_ns) * 1e-9));
  FaultTimeline timeline;
  for (std::uint32_t c = 0; c < spec_.classes.size(); ++c) draw_class(c, seed, run, horizon_ns, timeline);
  std::sort(timeline.begin(), timeline.end(), [](const FaultEvent& a, const FaultEvent& b) {
    return std::tie(a.start_ns, a.fault_class, a.component) < std::tie(b.start_ns, b.fault_class, b.component);
  });
  return timeline;
}

FaultTimeline thin(const FaultTimeline& timeline, double keep, std::uint64_t seed) {
  if (!(keep >= 0 && keep <= 1))
    throw FaultError(fmt::format("faults cannot be thinned to a share of {}; expected 0 to 1", keep));
  const StreamKey key = stream_key(seed, StreamPurpose::thinning, "");
  FaultTimeline kept;
  for (const FaultEvent& e : timeline) {
    const auto start = static_cast<std::uint64_t>(e.start_ns);
    const auto block = random_block(key, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(start >> 32),
                                    e.fault_class, e.component);
    if (block[0] * 0x1p-32 < keep) kept.push_back(e);
  }
  return kept;
}

}  // namespace toposim::faults
