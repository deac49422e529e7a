// The table of contents: read the command line and the scenario, run the study, report.
#include <cstdio>

#include "sim/app/app.hpp"

int main(int argc, char** argv) {
  // Parts are compiled for x86-64-v3, and the linker may take a standard function from any part: asked before the first
  // of them runs.
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) {
    std::fputs(
        "toposim: this processor lacks AVX2, FMA or BMI2; toposim needs x86-64-v3 (Intel since 2013, AMD since "
        "2015)\n",
        stderr);
    return toposim::sim::exit_failed;
  }
  return toposim::sim::run_app(argc, argv);
}
