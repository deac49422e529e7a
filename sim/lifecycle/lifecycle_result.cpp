#include "sim/lifecycle/lifecycle_result.hpp"

namespace toposim::sim {

std::string_view to_string(Bucket bucket) {
  static constexpr std::array<std::string_view, bucket_count> names{
      "productive", "lost_work",  "overhead",  "checkpoint", "detect",  "quorum",
      "reallocate", "spare_wait", "comm_init", "load",       "catch_up"};
  return names[static_cast<std::size_t>(bucket)];
}

double ettr(const LifecycleResult& result) {
  return static_cast<double>(result.bucket(Bucket::productive)) / static_cast<double>(result.wall_ns);
}

double goodput_steps(const LifecycleResult& result, std::int64_t nominal_step_ns) {
  return static_cast<double>(result.kept_steps) * static_cast<double>(nominal_step_ns) /
         static_cast<double>(result.wall_ns);
}

double goodput_samples(const LifecycleResult& result, std::int64_t nominal_step_ns) {
  return result.kept_samples * static_cast<double>(nominal_step_ns) / static_cast<double>(result.wall_ns);
}

double goodput_progress(const LifecycleResult& result, std::int64_t nominal_step_ns) {
  return result.progress_steps * static_cast<double>(nominal_step_ns) / static_cast<double>(result.wall_ns);
}

}  // namespace toposim::sim
