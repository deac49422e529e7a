#pragma once
// Work shared among threads so that results do not depend on how many there are: tasks are cut by the caller from the
// problem alone, each writes its own output.
#include <cstddef>
#include <cstdint>
#include <functional>

namespace toposim::topology {

/// Runs body(task) for 0 .. tasks-1 on `threads` threads (0: as many as the machine has; at most 256). When tasks
/// throw, the exception of the lowest of them is rethrown, whichever came first in time.
void for_each_task(std::size_t tasks, unsigned threads, const std::function<void(std::size_t task)>& body);

/// Part `part` of `parts` of 0 .. count-1: contiguous, sizes differ by at most one.
struct TaskRange {
  std::size_t first = 0, end = 0;
};
constexpr TaskRange part_of(std::size_t count, std::size_t part, std::size_t parts) {
  const std::size_t base = count / parts, larger = count % parts;
  const std::size_t first = part * base + (part < larger ? part : larger);
  return {first, first + base + (part < larger ? 1 : 0)};
}

}  // namespace toposim::topology
