#include "topology/semantic/overflow.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "topology/mix.hpp"
#include "topology/semantic/distances.hpp"
#include "topology/semantic/parallel.hpp"
#include "topology/semantic/prices.hpp"

namespace toposim::topology {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float own_square(const CandidateTable& table, std::uint64_t sample, std::uint32_t label) {
  const std::uint64_t at = sample * table.width;
  for (std::uint32_t k = 0; k < table.width; ++k)
    if (table.cluster[at + k] == label) return table.square[at + k];
  return infinity;
}

// Those that leave, ascending: of each domain above its limit the samples farthest from it.
std::vector<std::uint64_t> leavers(const CandidateTable& table, const std::vector<std::uint32_t>& labels,
                                   const std::vector<std::uint64_t>& counts, const std::vector<std::uint64_t>& limit,
                                   const DomainBounds& bounds) {
  std::vector<std::vector<std::pair<float, std::uint64_t>>> members(counts.size());
  for (std::uint64_t i = 0; i < labels.size(); ++i) {
    if (counts[labels[i]] > limit[labels[i]]) members[labels[i]].emplace_back(-own_square(table, i, labels[i]), i);
  }
  std::vector<std::uint64_t> result;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (counts[j] <= limit[j]) continue;
    const std::uint64_t leave = counts[j] - bounds.most[j];
    std::nth_element(members[j].begin(), members[j].begin() + static_cast<std::ptrdiff_t>(leave - 1), members[j].end());
    for (std::uint64_t i = 0; i < leave; ++i) result.push_back(members[j][i].second);
  }
  std::sort(result.begin(), result.end());
  return result;
}

struct Room {
  std::vector<std::uint64_t> free, missing;
  std::uint64_t missing_in_all = 0;

  Room(const std::vector<std::uint64_t>& counts, const DomainBounds& bounds) {
    for (std::size_t j = 0; j < counts.size(); ++j) {
      free.push_back(bounds.most[j] > counts[j] ? bounds.most[j] - counts[j] : 0);
      missing.push_back(bounds.least[j] > counts[j] ? bounds.least[j] - counts[j] : 0);
      missing_in_all += missing.back();
    }
  }
  void take(std::size_t j) {
    --free[j];
    if (missing[j] == 0) return;
    --missing[j];
    --missing_in_all;
  }
};

// The search starts at a domain of the sample's own, so that duplicates spread evenly over equal centroids.
std::size_t nearest_with_room(const float* squares, const std::vector<std::uint64_t>& room, std::uint64_t sample) {
  const std::size_t domains = room.size();
  std::size_t best = domains;
  const std::size_t start = below(mix64(sample), static_cast<std::uint32_t>(domains));
  for (std::size_t step = 0; step < domains; ++step) {
    const std::size_t j = start + step < domains ? start + step : start + step - domains;
    if (room[j] > 0 && (best == domains || squares[j] < squares[best])) best = j;
  }
  return best;
}

void place(const CentredRows& rows, const Rows& centroids, const std::vector<std::uint64_t>& samples, Room room,
           std::vector<std::uint32_t>& labels, unsigned threads) {
  const Distances distances(centroids);
  const std::uint64_t block = distances.block_rows(), at_once = block * 8;
  std::vector<float> squares(at_once * distances.size());
  for (std::uint64_t first = 0; first < samples.size(); first += at_once) {
    const std::uint64_t count = std::min<std::uint64_t>(at_once, samples.size() - first);
    const auto from = samples.begin() + static_cast<std::ptrdiff_t>(first);
    const Rows some = rows.gather({from, from + static_cast<std::ptrdiff_t>(count)}, threads);
    for_each_task((count + block - 1) / block, threads, [&](std::size_t task) {
      const std::uint64_t begin = task * block;
      distances.squares(some.row(begin), std::min(block, count - begin), squares.data() + begin * distances.size());
    });
    for (std::uint64_t i = 0; i < count; ++i) {
      const bool reserved = samples.size() - first - i <= room.missing_in_all;
      const std::size_t j = nearest_with_room(squares.data() + i * distances.size(),
                                              reserved ? room.missing : room.free, samples[first + i]);
      room.take(j);
      labels[samples[first + i]] = static_cast<std::uint32_t>(j);
    }
  }
}

using Near = std::vector<std::pair<float, std::uint64_t>>;  // squared distance, sample

// Of each wanted domain, the nearest samples of domains that can spare some, nearest first; twice as many as it lacks.
std::vector<Near> nearest_to(const CentredRows& rows, const Rows& centroids, const std::vector<std::uint32_t>& wanted,
                             const std::vector<std::uint64_t>& counts, const DomainBounds& bounds,
                             const std::vector<std::uint32_t>& labels, unsigned threads) {
  Rows some(wanted.size(), rows.dims());
  for (std::size_t w = 0; w < wanted.size(); ++w) std::copy_n(centroids.row(wanted[w]), rows.dims(), some.row(w));
  const Distances distances(some);
  std::vector<Near> result(wanted.size());
  std::mutex mutex;
  for_each_task(rows.chunks(), threads, [&](std::size_t chunk) {
    const std::uint64_t first = chunk * rows.chunk_rows(), count = std::min(rows.chunk_rows(), rows.rows() - first);
    std::vector<float> buffer(count * rows.dims()), squares(count * wanted.size());
    rows.read(first, count, buffer.data());
    distances.squares(buffer.data(), count, squares.data());
    const std::lock_guard lock(mutex);  // the smallest of a set are the same in whatever order they come
    for (std::size_t w = 0; w < wanted.size(); ++w) {
      const std::size_t keep = 2 * (bounds.least[wanted[w]] - counts[wanted[w]]);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint32_t label = labels[first + i];
        if (counts[label] <= bounds.least[label]) continue;
        const std::pair<float, std::uint64_t> found(squares[i * wanted.size() + w], first + i);
        if (result[w].size() == keep && !(found < result[w].front())) continue;
        result[w].push_back(found);
        std::push_heap(result[w].begin(), result[w].end());
        if (result[w].size() <= keep) continue;
        std::pop_heap(result[w].begin(), result[w].end());
        result[w].pop_back();
      }
    }
  });
  for (Near& near : result) std::sort(near.begin(), near.end());
  return result;
}

// Rounds, since a sample that two domains want goes to the first. In every round each of them gets one at least.
std::uint64_t pull_missing(const CentredRows& rows, const Rows& centroids, const DomainBounds& bounds,
                           std::vector<std::uint32_t>& labels, unsigned threads) {
  constexpr std::size_t wanted_at_once = 256;
  std::vector<std::uint64_t> counts = count_of(labels, centroids.rows);
  std::uint64_t pulled = 0;
  for (;;) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t j = 0; j < counts.size() && wanted.size() < wanted_at_once; ++j)
      if (counts[j] < bounds.least[j]) wanted.push_back(j);
    if (wanted.empty()) return pulled;
    const std::vector<Near> near = nearest_to(rows, centroids, wanted, counts, bounds, labels, threads);
    for (std::size_t w = 0; w < wanted.size(); ++w) {
      for (const auto& [square, sample] : near[w]) {
        if (counts[wanted[w]] == bounds.least[wanted[w]]) break;
        const std::uint32_t from = labels[sample];
        if (counts[from] <= bounds.least[from]) continue;
        --counts[from];
        ++counts[wanted[w]];
        labels[sample] = wanted[w];
        ++pulled;
      }
    }
  }
}

}  // namespace

OverflowReport thin_out(const CentredRows& rows, const Rows& centroids, const DomainBounds& bounds,
                        const CandidateTable& table, std::vector<std::uint32_t>& labels, unsigned threads) {
  const std::vector<std::uint64_t> counts = count_of(labels, centroids.rows);
  std::vector<std::uint64_t> limit(bounds.most);
  for (std::uint64_t& most : limit) most = 2 * most + 64;
  const std::vector<std::uint64_t> leaving = leavers(table, labels, counts, limit, bounds);
  std::vector<std::uint64_t> left = counts;
  for (const std::uint64_t sample : leaving) --left[labels[sample]];
  place(rows, centroids, leaving, Room(left, bounds), labels, threads);
  return {leaving.size(), 0};
}

OverflowReport enforce_bounds(const CentredRows& rows, const Rows& centroids, const DomainBounds& bounds,
                              const CandidateTable& table, std::vector<std::uint32_t>& labels, unsigned threads) {
  std::vector<std::uint64_t> counts = count_of(labels, centroids.rows);
  const std::vector<std::uint64_t> leaving = leavers(table, labels, counts, bounds.most, bounds);
  OverflowReport report{leaving.size(), 0};
  for (const std::uint64_t sample : leaving) --counts[labels[sample]];
  place(rows, centroids, leaving, Room(counts, bounds), labels, threads);
  report.pulled = pull_missing(rows, centroids, bounds, labels, threads);
  return report;
}

}  // namespace toposim::topology
