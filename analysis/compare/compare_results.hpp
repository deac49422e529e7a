#pragma once
// Do two results agree: to the bit, within tolerances, or as far as their spread allows to say?
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/compare/result_tree.hpp"

namespace toposim::analysis {

struct CompareOptions {
  double relative_tolerance = 0;
  std::vector<std::pair<std::string, double>> tolerances;  ///< pattern of paths -> relative; the last that fits counts
  std::vector<std::string> ignored;                        ///< patterns of paths
  /// Means that come with n and sd are compared by Welch's interval of their difference, and what else other draws
  /// change is left out; for runs of different seeds.
  bool statistical = false;
};

/// |a - b| over the larger magnitude; 0 for two zeros.
double relative_difference(double a, double b);

/// Whether a pattern, in which * stands for any characters, dots included, is the whole path.
bool fits(std::string_view pattern, std::string_view path);

struct Difference {
  std::string path;
  std::string a, b;     ///< as text, with enough digits to differ; "" where one of them has no such path
  double relative = 0;  ///< 1 where one is not a number
};

struct Comparison {
  bool same_digest = false;             ///< nothing was compared then
  std::int64_t equal = 0, within = 0;   ///< numbers, texts, nulls; within: a tolerance
  std::int64_t means = 0;               ///< statistical: means compared, which are not among the above
  std::int64_t means_outside_own = 0;   ///< beyond the 95 % interval of their own, as one in twenty is by chance
  std::int64_t left_out = 0;            ///< statistical: values that other draws change and no spread speaks for
  std::vector<Difference> differences;  ///< the largest first
  bool agree() const { return differences.empty(); }
};

/// What went in, what it cost and who computed it are not compared: scenario, seed, versions, cost, warnings, gates.
///
/// statistical: k means are compared at once, so each has an interval of confidence 1 - 0.05 / k (Bonferroni): two runs
/// of the same scenario are told to differ in at most one comparison of twenty, not in nearly every one of hundreds of
/// means. Throws ResultFileError where the two are not of one kind.
Comparison compare(const ResultTree& a, const ResultTree& b, const CompareOptions& options);

}  // namespace toposim::analysis
