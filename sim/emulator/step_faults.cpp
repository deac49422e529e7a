#include "sim/emulator/step_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "faults/random_stream.hpp"

namespace toposim::emulator {
namespace {

void refuse_faults(const std::string& what) {
  throw std::invalid_argument("step faults: " + what);
}

double unit(const faults::StreamKey& key, std::uint32_t a, std::uint64_t b) {
  const auto words =
      faults::random_block(key, a, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32), 0);
  return (static_cast<double>(words[0]) + 0.5) * 0x1p-32;
}

/// 0 .. count - 1 in random order: by a random number each.
std::vector<std::uint32_t> random_order(const faults::StreamKey& key, std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return unit(key, a, 0) < unit(key, b, 0); });
  return order;
}

}  // namespace

StepFaults::StepFaults(StepFaultSpec spec, std::span<const std::uint32_t> worker_domain)
    : spec_(std::move(spec)), workers_(worker_domain.size()), lasting_(worker_domain.size(), 0) {
  if (workers_ == 0) refuse_faults("no workers");
  if (!(spec_.share >= 0 && spec_.share <= 1))
    refuse_faults(fmt::format("share = {} must be between 0 and 1", spec_.share));
  const auto count = static_cast<std::size_t>(std::llround(spec_.share * static_cast<double>(workers_)));
  const auto key = faults::stream_key(spec_.seed, faults::StreamPurpose::step_fault, "chosen");
  std::vector<std::vector<std::uint32_t>> members(*std::max_element(worker_domain.begin(), worker_domain.end()) +
                                                  std::size_t{1});
  for (std::uint32_t w = 0; w < workers_; ++w) members[worker_domain[w]].push_back(w);
  const auto domains =
      random_order(faults::stream_key(spec_.seed, faults::StreamPurpose::step_fault, "domains"), members.size());
  std::size_t killed = 0;
  switch (spec_.pattern) {
    case FaultPattern::none:
    case FaultPattern::transient:
      break;
    case FaultPattern::timeline:
      if (spec_.steps == 0) refuse_faults("steps = 0 must be at least 1");
      for (const Absence& absence : spec_.absences)
        if (absence.worker >= workers_)
          refuse_faults(fmt::format("an absence of worker {} of {}", absence.worker, workers_));
      break;
    case FaultPattern::permanent:
    case FaultPattern::slow:
      for (const std::uint32_t w : random_order(key, workers_)) {
        if (killed == count) break;
        lasting_[w] = 1;
        ++killed;
      }
      break;
    case FaultPattern::skewed: {
      if (spec_.per_domain == 0) refuse_faults("per_domain = 0 must be at least 1");
      for (const std::uint32_t domain : domains)
        for (std::size_t i = 0; i < std::min<std::size_t>(spec_.per_domain, members[domain].size()) && killed < count;
             ++i) {
          lasting_[members[domain][i]] = 1;
          ++killed;
        }
      if (killed < count)
        refuse_faults(fmt::format("{} of each domain are {} workers, fewer than the {} that share = {} asks for",
                                  spec_.per_domain, killed, count, spec_.share));
      break;
    }
    case FaultPattern::domain:
      for (const std::uint32_t w : members[domains[0]]) lasting_[w] = 1;
      killed = members[domains[0]].size();
      break;
  }
  if (killed == workers_ || (spec_.pattern == FaultPattern::transient && spec_.share >= 1))
    refuse_faults("no worker would survive");
}

std::vector<std::uint8_t> StepFaults::answered(std::uint64_t step) const {
  std::vector<std::uint8_t> there(workers_, 1);
  if (spec_.pattern == FaultPattern::transient) {
    const auto key = faults::stream_key(spec_.seed, faults::StreamPurpose::step_fault, "transient");
    for (std::uint32_t w = 0; w < workers_; ++w) there[w] = unit(key, w, step) >= spec_.share ? 1 : 0;
    if (std::none_of(there.begin(), there.end(), [](std::uint8_t t) { return t != 0; })) there[0] = 1;
  } else if (spec_.pattern == FaultPattern::timeline) {
    const double at = (static_cast<double>(step) + 0.5) / static_cast<double>(spec_.steps);
    for (const Absence& absence : spec_.absences)
      if (absence.from <= at && at < absence.to) there[absence.worker] = 0;
    if (std::none_of(there.begin(), there.end(), [](std::uint8_t t) { return t != 0; })) there[0] = 1;
  } else if (step >= spec_.from_step) {
    for (std::size_t w = 0; w < workers_; ++w) there[w] = lasting_[w] != 0 ? 0 : 1;
  }
  return there;
}

}  // namespace toposim::emulator
