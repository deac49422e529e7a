#include "analysis/digest.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "analysis/check.hpp"

namespace toposim::analysis {
namespace {

void add(Fnv1a64& hash, const TimelineRow& row) {
  hash.add(std::string_view(row.scheme));
  hash.add(row.time_ns);
  hash.add(std::string_view(row.event));
  hash.add(std::string_view(row.cause));
  for (const std::int64_t v : {row.node, row.replica, row.step, row.replicas_active, row.spares_free}) hash.add(v);
}

void add(Fnv1a64& hash, const TimeToQuality& quality) {
  for (const double v : quality.per_run_s) hash.add(v);
  for (const double v : {quality.fault_free_s, quality.mean_s, quality.ci95_low_s, quality.ci95_high_s}) hash.add(v);
}

}  // namespace

void Fnv1a64::add_bytes(std::string_view bytes) {
  for (const char c : bytes) {
    hash_ ^= static_cast<unsigned char>(c);
    hash_ *= 0x100000001b3;
  }
}

void Fnv1a64::add(std::uint64_t value) {
  for (int byte = 0; byte < 8; ++byte) {
    hash_ ^= (value >> (8 * byte)) & 0xff;
    hash_ *= 0x100000001b3;
  }
}

void Fnv1a64::add(std::int64_t value) {
  add(static_cast<std::uint64_t>(value));
}
void Fnv1a64::add(double value) {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  add(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value));
}

void Fnv1a64::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  add_bytes(text);
}

void add_named(Fnv1a64& hash, const Named& named) {
  hash.add(static_cast<std::uint64_t>(named.size()));
  for (const auto& [name, value] : named) {
    hash.add(std::string_view(name));
    hash.add(value);
  }
}

void add_metric(Fnv1a64& hash, const Metric& metric) {
  hash.add(std::string_view(metric.name));
  hash.add(static_cast<std::uint64_t>(metric.unit));
  hash.add(static_cast<std::uint64_t>(metric.integers.size()));
  for (const std::int64_t v : metric.integers) hash.add(v);
  hash.add(static_cast<std::uint64_t>(metric.reals.size()));
  for (const double v : metric.reals) hash.add(v);
}

std::string digest_text(const Fnv1a64& hash) {
  return fmt::format("fnv1a64:{:016x}", hash.value());
}

std::string digest(const Results& results) {
  check(results);
  Fnv1a64 hash;
  for (const Named* named :
       {&results.step_exposed_s, &results.step_hidden_s, &results.step_shape, &results.memory_bytes, &results.fabric})
    add_named(hash, *named);
  for (const auto& [name, value] : results.step_choices) {
    hash.add(std::string_view(name));
    hash.add(std::string_view(value));
  }
  hash.add(static_cast<std::uint64_t>(results.schemes.size()));
  for (const SchemeResults& scheme : results.schemes) {
    hash.add(std::string_view(scheme.name));
    for (const Metric& metric : scheme.metrics) add_metric(hash, metric);
    if (scheme.time_to_quality) add(hash, *scheme.time_to_quality);
  }
  hash.add(static_cast<std::uint64_t>(results.timeline.size()));
  for (const TimelineRow& row : results.timeline) add(hash, row);
  return digest_text(hash);
}

}  // namespace toposim::analysis
