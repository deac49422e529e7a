#include "faults/fault_spec.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace toposim::faults {

std::string_view to_string(Component component) {
  switch (component) {
    case Component::gpu:
      return "gpu";
    case Component::node:
      return "node";
    case Component::nic:
      return "nic";
    case Component::access_cable:
      return "access_cable";
    case Component::uplink_cable:
      return "uplink_cable";
    case Component::core_cable:
      return "core_cable";
    case Component::leaf:
      return "leaf";
    case Component::spine:
      return "spine";
    case Component::core:
      return "core";
    case Component::job:
      return "job";
  }
  return "";
}

std::string_view to_string(FaultKind kind) {
  return kind == FaultKind::fail_stop ? "fail_stop" : "fail_slow";
}

std::string_view to_string(Shape shape) {
  return shape == Shape::exponential ? "exponential" : "weibull";
}

std::string_view to_string(RepairShape shape) {
  switch (shape) {
    case RepairShape::constant:
      return "constant";
    case RepairShape::exponential:
      return "exponential";
    case RepairShape::lognormal:
      return "lognormal";
  }
  return "";
}

std::vector<std::string> problems_of(const FaultSpec& spec) {
  std::vector<std::string> problems;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < spec.classes.size(); ++i) {
    const FaultClassSpec& c = spec.classes[i];
    const std::string where =
        c.name.empty() ? fmt::format("fault class {}", i) : fmt::format("fault class '{}'", c.name);
    // Written so that NaN fails too.
    const auto within = [&](std::string_view what, double value, double low, double high, std::string_view expected) {
      if (!(value >= low && value <= high))
        problems.push_back(fmt::format("{}: {} is {}, expected {}", where, what, value, expected));
    };
    const auto positive = [&](std::string_view what, double value, double high) {
      if (!(value > 0 && value <= high))
        problems.push_back(
            fmt::format("{}: {} is {} s, expected a time above 0 and up to {:g} s", where, what, value, high));
    };
    if (c.name.empty())
      problems.push_back(fmt::format("{}: has no name", where));
    else if (!names.insert(c.name).second)
      problems.push_back(fmt::format(
          "{}: the name is used twice; names key the random draws and the results, so give each class its own", where));
    positive("mean time between faults", c.mtbf_s, mtbf_s_max);
    positive("mean repair time", c.repair.mean_s, repair_mean_s_max);
    if (c.shape == Shape::weibull)
      within("weibull_k", c.weibull_k, weibull_k_min, weibull_k_max,
             fmt::format("{:g} to {:g}", weibull_k_min, weibull_k_max));
    if (c.frailty != 0)
      within("frailty", c.frailty, frailty_min, frailty_max,
             fmt::format("0, or {:g} to {:g}", frailty_min, frailty_max));
    if (c.repair.shape == RepairShape::lognormal)
      within("sigma of the repair time", c.repair.sigma, 0, repair_sigma_max,
             fmt::format("0 to {:g}", repair_sigma_max));
    if (c.component == Component::job) {
      within("job_fraction", c.job_fraction, 0, 1, "a probability, 0 to 1");
      if (c.kind == FaultKind::fail_slow)
        problems.push_back(fmt::format("{}: a fault of the job cannot be fail_slow; use component node or gpu", where));
    }
    if (c.kind == FaultKind::fail_slow && !(c.slow_factor > 0 && c.slow_factor < 1))
      problems.push_back(
          fmt::format("{}: slow_factor is {}, expected the remaining share of speed or bandwidth, above 0 and below 1",
                      where, c.slow_factor));
  }
  return problems;
}

}  // namespace toposim::faults
