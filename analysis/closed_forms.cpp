#include "analysis/closed_forms.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace toposim::analysis {
namespace {

void require(bool holds, const char* what, double value) {
  if (!holds) throw std::invalid_argument(fmt::format("{} (it is {})", what, value));
}

void require_valid(const CheckpointTimes& times) {
  require(times.mtbf_s > 0 && std::isfinite(times.mtbf_s), "mean time between failures must be positive", times.mtbf_s);
  require(times.restart_s >= 0 && std::isfinite(times.restart_s), "restart time must not be negative", times.restart_s);
  require(times.write_s >= 0 && std::isfinite(times.write_s), "write time must not be negative", times.write_s);
}

void require_valid(double interval_s, const CheckpointTimes& times) {
  require_valid(times);
  require(interval_s > 0 && std::isfinite(interval_s), "checkpoint interval must be positive", interval_s);
}

}  // namespace

double daly_wall_s(double productive_s, double interval_s, const CheckpointTimes& times) {
  require_valid(interval_s, times);
  require(productive_s >= 0 && std::isfinite(productive_s), "productive time must not be negative", productive_s);
  if (productive_s == 0) return 0;
  const double m = times.mtbf_s;
  return m * std::exp(times.restart_s / m) * std::expm1((interval_s + times.write_s) / m) * (productive_s / interval_s);
}

double daly_ettr(double interval_s, const CheckpointTimes& times) {
  return interval_s / daly_wall_s(interval_s, interval_s, times);
}

double first_order_ettr(double interval_s, const CheckpointTimes& times) {
  require_valid(interval_s, times);
  return 1 - times.write_s / interval_s - (times.restart_s + interval_s / 2) / times.mtbf_s;
}

double meta_ettr(double interval_s, const CheckpointTimes& times) {
  require_valid(interval_s, times);
  return (1 - (times.restart_s + interval_s / 2) / times.mtbf_s) / (1 + times.write_s / interval_s);
}

}  // namespace toposim::analysis
