#include "sim/scenario/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace toposim::sim {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

double read_number(const char* file) {
  std::ifstream in(file);
  double value = 0;
  return in >> value ? value : unknown;  // "max" where there is no limit
}

double available_of_system() {
  std::ifstream in("/proc/meminfo");
  for (std::string key; in >> key;) {
    double kib = 0;
    if (key == "MemAvailable:" && in >> kib) return kib * 1024;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return unknown;
}

}  // namespace

double available_memory_bytes() {
  const double limit =
      std::min(read_number("/sys/fs/cgroup/memory.max"), read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  double used = read_number("/sys/fs/cgroup/memory.current");
  if (used == unknown) used = read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes");
  const double left = limit == unknown || used == unknown ? unknown : std::max(0.0, limit - used);
  return std::min(available_of_system(), left);
}

}  // namespace toposim::sim
