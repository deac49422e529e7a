#pragma once
// What the checks of the two kinds of results share. Each throws ResultsError at the first thing that is wrong.
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/results.hpp"

namespace toposim::analysis {

/// Finite values, each name once.
void check_named(const Named& named, std::string_view where);
/// Each name once.
void check_facts(const Facts& facts, std::string_view where);

/// Where a column's values are: "scheme drop_replica", 4 values, one per "replica".
struct ColumnPlace {
  std::string_view owner, each;
  std::int64_t values = 0;
  bool may_be_unknown = false;  ///< NaN among reals; an infinity never
};
/// As many values as there should be, of the type that the unit says, finite, each name once, a duration's with _s.
void check_columns(const std::vector<Metric>& columns, const ColumnPlace& place);
/// The same names and units in the same order.
void check_same_columns(const std::vector<Metric>& columns, std::string_view owner, const std::vector<Metric>& first,
                        std::string_view first_owner);

}  // namespace toposim::analysis
