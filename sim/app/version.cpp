#include "sim/app/version.hpp"

#include <fmt/format.h>

#include <boost/version.hpp>

#include "generated/version_info.hpp"
#include "sim/fabric/simgrid_version.hpp"

namespace toposim::sim {
namespace {

/// The instruction set the code was compiled for: results do not depend on what the CPU could do beyond it.
std::string vector_isa() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__SSE2__)
  return "x86-64 baseline (SSE2)";
#else
  return "none";
#endif
}

}  // namespace

std::vector<std::pair<std::string, std::string>> version_facts() {
  return {{"toposim", TOPOSIM_VERSION},
          {"commit", TOPOSIM_COMMIT},
          {"simgrid", simgrid_version()},
          {"cuda", TOPOSIM_KERNELS_CUDA},
          {"vector_isa", vector_isa()},
          {"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
          {"compiler", fmt::format("g++ {}", __VERSION__)}};
}

std::string version_text() {
  std::string text;
  for (const auto& [name, value] : version_facts()) text += fmt::format("{:<11}{}\n", name, value);
  return text;
}

}  // namespace toposim::sim
