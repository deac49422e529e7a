#include "analysis/compare/compare_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toposim::analysis {
namespace {

constexpr std::string_view not_results[] = {"scenario.*",     "seed",       "seeds*", "digest",    "kind",
                                            "schema_version", "versions.*", "cost.*", "warnings*", "gates*"};
/// What other draws change and no spread in the file speaks for: what follows from means that are compared, what
/// describes the draws, and gradients, whose draws of faults are all on the steps of one training run.
constexpr std::string_view drawn[] = {"*.time_share.*", "*.time_to_quality.*", "*.bias",     "fabric.*",
                                      "scenes.*",       "gradient.*",          "placement.*"};

template <class Patterns>
bool any_fits(const Patterns& patterns, std::string_view path) {
  return std::any_of(std::begin(patterns), std::end(patterns), [&](const auto& p) { return fits(p, path); });
}

double tolerance_of(const CompareOptions& options, std::string_view path) {
  for (auto one = options.tolerances.rbegin(); one != options.tolerances.rend(); ++one)
    if (fits(one->first, path)) return one->second;
  return options.relative_tolerance;
}

std::string text_of(const ResultLeaf& leaf, int digits = 17) {
  switch (leaf.kind) {
    case ResultLeaf::Kind::number:
      return fmt::format("{:.{}g}", leaf.number, digits);
    case ResultLeaf::Kind::text:
      return leaf.text;
    case ResultLeaf::Kind::null:
      break;
  }
  return "null";
}

Difference difference(const std::string& path, const ResultLeaf& a, const ResultLeaf& b) {
  Difference found{.path = path, .a = text_of(a), .b = text_of(b), .relative = 1};
  if (a.kind != ResultLeaf::Kind::number || b.kind != ResultLeaf::Kind::number) return found;
  found.relative = relative_difference(a.number, b.number);
  for (int digits = 6; digits <= 17; ++digits) {
    found.a = text_of(a, digits);
    found.b = text_of(b, digits);
    if (found.a != found.b) break;
  }
  return found;
}

std::string_view parent_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == path.npos ? std::string_view() : path.substr(0, dot);
}

/// Whether a and b values, all of the first larger than all of the second, are enough to be no coincidence: of all ways
/// to deal them out, 2 in (a + b choose a) are as far apart.
bool enough_to_tell(std::int64_t a, std::int64_t b, double chance) {
  double ways = 1;
  for (std::int64_t i = 1; i <= a && ways * chance < 2; ++i)
    ways *= static_cast<double>(b + i) / static_cast<double>(i);
  return ways * chance >= 2;
}

class Comparer {
 public:
  Comparer(const ResultTree& a, const ResultTree& b, const CompareOptions& options) : a_(a), b_(b), options_(options) {}

  Comparison compare() {
    if (options_.statistical) compare_means();
    for (const auto& [path, leaf] : a_.leaves) {
      if (!is_compared(path, leaf)) continue;
      const auto other = b_.leaves.find(path);
      if (other == b_.leaves.end())
        result_.differences.push_back({.path = path, .a = text_of(leaf, 6), .b = "", .relative = 1});
      else if (!is_left_out(path))
        compare_leaf(path, leaf, other->second);
    }
    for (const auto& [path, leaf] : b_.leaves)
      if (is_compared(path, leaf) && !a_.leaves.contains(path))
        result_.differences.push_back({.path = path, .a = "", .b = text_of(leaf, 6), .relative = 1});
    std::sort(result_.differences.begin(), result_.differences.end(), [](const Difference& x, const Difference& y) {
      return x.relative != y.relative ? x.relative > y.relative : x.path < y.path;
    });
    return std::move(result_);
  }

 private:
  struct Pair {
    std::string path;
    Sample a, b;
    bool is_count = false;
  };

  bool is_compared(const std::string& path, const ResultLeaf& leaf) const {
    if (any_fits(not_results, path) || any_fits(options_.ignored, path)) return false;
    // The numbers of a metric are in its mean's interval; its unit is not.
    const bool judged_by_mean = options_.statistical && leaf.kind != ResultLeaf::Kind::text && !any_fits(drawn, path) &&
                                is_mean(parent_of(path));
    return !judged_by_mean;
  }

  bool is_mean(std::string_view path) const {
    const std::string key(path);
    return a_.samples.contains(key) && b_.samples.contains(key);
  }

  bool is_left_out(const std::string& path) {
    if (!options_.statistical || !any_fits(drawn, path)) return false;
    ++result_.left_out;
    return true;
  }

  void compare_leaf(const std::string& path, const ResultLeaf& a, const ResultLeaf& b) {
    const bool numbers = a.kind == ResultLeaf::Kind::number && b.kind == ResultLeaf::Kind::number;
    if (a.kind == b.kind && (numbers ? a.number == b.number : a.text == b.text))
      ++result_.equal;
    else if (numbers && relative_difference(a.number, b.number) <= tolerance_of(options_, path))
      ++result_.within;
    else
      result_.differences.push_back(difference(path, a, b));
  }

  void compare_means() {
    std::vector<Pair> pairs;
    for (const auto& [path, a] : a_.samples) {
      const std::string mean = path + ".mean";
      const auto b = b_.samples.find(path);
      if (b == b_.samples.end() || any_fits(not_results, mean) || any_fits(options_.ignored, mean) ||
          any_fits(drawn, mean))
        continue;
      const auto unit = a_.leaves.find(path + ".unit");
      pairs.push_back({mean, a, b->second, unit != a_.leaves.end() && unit->second.text == "count"});
    }
    result_.means = static_cast<std::int64_t>(pairs.size());
    const auto holds_zero = [](const Interval& interval) { return interval.low <= 0 && interval.high >= 0; };
    for (const Pair& pair : pairs) {
      if (holds_zero(welch_interval(pair.a, pair.b, default_confidence))) continue;
      if (relative_difference(pair.a.mean, pair.b.mean) <= tolerance_of(options_, pair.path)) continue;
      ++result_.means_outside_own;
      const double chance = (1 - default_confidence) / static_cast<double>(pairs.size());
      // A few counts that happen to be equal have no spread to speak of; times and ratios that are equal do not happen
      // to.
      const bool few_counts = pair.is_count && pair.a.sd == 0 && pair.b.sd == 0;
      if (few_counts && !enough_to_tell(pair.a.n, pair.b.n, chance)) continue;
      if (!holds_zero(welch_interval(pair.a, pair.b, 1 - chance)))
        result_.differences.push_back(difference(pair.path, {ResultLeaf::Kind::number, pair.a.mean, {}},
                                                 {ResultLeaf::Kind::number, pair.b.mean, {}}));
    }
  }

  const ResultTree &a_, &b_;
  const CompareOptions& options_;
  Comparison result_;
};

}  // namespace

double relative_difference(double a, double b) {
  if (a == b) return 0;
  // Halved, as the difference of the largest doubles is no double.
  return std::abs(a / 2 - b / 2) / (std::max(std::abs(a), std::abs(b)) / 2);
}

bool fits(std::string_view pattern, std::string_view path) {
  // Back to the last star with one character more under it, wherever the rest does not fit.
  std::size_t p = 0, at = 0, star = pattern.npos, under_star = 0;
  while (at < path.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      under_star = at;
    } else if (p < pattern.size() && pattern[p] == path[at]) {
      ++p;
      ++at;
    } else if (star != pattern.npos) {
      p = star + 1;
      at = ++under_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

Comparison compare(const ResultTree& a, const ResultTree& b, const CompareOptions& options) {
  if (a.kind != b.kind)
    throw ResultFileError(fmt::format("{} holds results of kind '{}' and {} of '{}': there is nothing to compare",
                                      a.file, a.kind, b.file, b.kind));
  if (a.digest == b.digest) {
    Comparison same;
    same.same_digest = true;
    return same;
  }
  return Comparer(a, b, options).compare();
}

}  // namespace toposim::analysis
