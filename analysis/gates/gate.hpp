#pragma once
// Gates: bounds that results have to keep, so that a run can fail a pipeline. Knows nothing of schemes or faults: a
// study offers its columns as series, a gate names one of them, a statistic and a bound.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/results.hpp"

namespace toposim::analysis {

/// One column of results that a gate can name.
struct GateSeries {
  std::string metric, scheme;  ///< a gate writes metric.scheme
  /// Where in the study: empty, "transient_5" or "transient_5@200" (case of faults @ step). A gate's `@ transient_5`
  /// means every series there, `@ transient_5@200` this one.
  std::string where;
  std::vector<double> values;  ///< in SI base units, so seconds for a duration; NaN: no value
  Unit unit = Unit::number;
  /// A NaN fails the gates of this series. For values whose absence is bad news, such as the loss of a run that
  /// diverged; otherwise statistics are of the values that are there.
  bool needs_every_value = false;
};

enum class GateStatistic : std::uint8_t { mean, sd, min, max, p50, p95, p99, ci95_low, ci95_high };
inline constexpr std::array<std::pair<std::string_view, GateStatistic>, 9> gate_statistics = {{
    {"mean", GateStatistic::mean},
    {"sd", GateStatistic::sd},
    {"min", GateStatistic::min},
    {"max", GateStatistic::max},
    {"p50", GateStatistic::p50},
    {"p95", GateStatistic::p95},
    {"p99", GateStatistic::p99},
    {"ci95_low", GateStatistic::ci95_low},
    {"ci95_high", GateStatistic::ci95_high},
}};

enum class GateOp : std::uint8_t { at_most, below, at_least, above };  ///< <= < >= >

/// One line of a scenario's `gates`: METRIC.SCHEME[.STATISTIC] [@ WHERE] OP BOUND.
struct Gate {
  std::string text;     ///< as written, one blank between its parts
  std::string subject;  ///< METRIC.SCHEME[.STATISTIC]: taken apart beside the series, as names may hold dots
  std::string where;    ///< empty: everywhere
  GateOp op = GateOp::at_most;
  double bound = 0;        ///< in SI base units; a percentage as a fraction
  std::string bound_unit;  ///< as written: "", "%", "min". Values are shown in it
  double unit_factor = 1;  ///< of bound_unit: 0.01 for %, 60 for min
  int line = 0;            ///< of the scenario file; 0: it came from the command line
};

}  // namespace toposim::analysis
