#include "topology/semantic/processor.hpp"

#include "topology/error.hpp"

namespace toposim::topology {

void check_processor() {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return;
  throw TopologyError(
      "semantic partitioner: this processor lacks AVX2 or FMA (x86-64-v3); run on one made since about 2013");
}

}  // namespace toposim::topology
