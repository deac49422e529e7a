#pragma once
// What a scenario's `faults` section says: which classes of fault there are, how often, what they take down, how long
// the repair takes.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::faults {

/// What a fault happens to. Counts come from the cluster: one component per GPU, node, NIC, cable, switch; one `job`.
enum class Component : std::uint8_t { gpu, node, nic, access_cable, uplink_cable, core_cable, leaf, spine, core, job };

enum class FaultKind : std::uint8_t { fail_stop, fail_slow };

enum class Shape : std::uint8_t { exponential, weibull };  ///< of the gap from repair to the next fault
enum class RepairShape : std::uint8_t { constant, exponential, lognormal };

struct RepairSpec {
  RepairShape shape = RepairShape::lognormal;
  double mean_s = 0;
  double sigma = 1;  ///< of the logarithm, lognormal only
};

struct FaultClassSpec {
  std::string name;  ///< "gpu", "hbm3", "software": unique within a scenario, the key in results
  Component component = Component::node;
  FaultKind kind = FaultKind::fail_stop;
  double mtbf_s = 0;  ///< mean gap per component, from repair to the next fault (mean of the Weibull too)
  Shape shape = Shape::exponential;
  double weibull_k = 1;
  double frailty = 0;  ///< variance of a component's rate over the mean one, gamma distributed; 0: all are alike
  RepairSpec repair;
  double job_fraction = 1;  ///< component == job: probability that a fault stops the whole job; else it stops one
                            ///< replica's node, drawn evenly
  double slow_factor = 1;   ///< fail_slow: remaining compute speed (gpu, node) or bandwidth (links), in (0, 1)
  bool planned = false;     ///< maintenance: announced, so nothing hangs and nothing needs detecting
  std::string source;       ///< paper, table
};

struct FaultSpec {
  std::string preset;  ///< for the report; empty: classes given one by one
  std::vector<FaultClassSpec> classes;
};

std::string_view to_string(Component component);  ///< gpu, node, nic, access_cable, ...: as in scenario files
std::string_view to_string(FaultKind kind);
std::string_view to_string(Shape shape);
std::string_view to_string(RepairShape shape);

/// Limits of what can be drawn; wide enough for any machine.
inline constexpr double mtbf_s_max = 1e15, repair_mean_s_max = 3e9, weibull_k_min = 0.1, weibull_k_max = 20,
                        repair_sigma_max = 10, frailty_min = 0.1, frailty_max = 10;

/// Everything wrong with the classes, each naming the class, what is expected and what would do; empty: all is well.
std::vector<std::string> problems_of(const FaultSpec& spec);

}  // namespace toposim::faults
