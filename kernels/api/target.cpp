#include "kernels/api/target.hpp"

#include <pthread.h>

#include <algorithm>

#include "kernels/api/message.hpp"

// All that is needed of <omp.h>, which only the compiler that builds this has for certain.
extern "C" int omp_get_max_threads();
extern "C" int omp_get_num_procs();

namespace toposim::kernels {
namespace {

// OpenMP's threads do not survive a fork, and a child that asked them to work would wait for ever.
bool forked = false;
[[maybe_unused]] const int watched = pthread_atfork(nullptr, nullptr, [] { forked = true; });

/// More threads than a few per processor gain nothing, and OpenMP ends the process where it cannot have them.
int threads_for(int wanted) {
  if (forked) return 1;
  return std::min(wanted > 0 ? wanted : omp_get_max_threads(), 4 * omp_get_num_procs());
}

tk_status choose_cpu(const tk_exec& exec, Target& target) {
  tk_isa isa = exec.isa;
  if (isa == TK_ISA_BEST)
    isa = tk_cpu_has(TK_ISA_AVX512) ? TK_ISA_AVX512 : tk_cpu_has(TK_ISA_AVX2) ? TK_ISA_AVX2 : TK_ISA_BASELINE;
  if (isa < TK_ISA_BASELINE || isa > TK_ISA_AVX512)
    return fail(TK_BAD_ARGUMENT, "isa is %d, not a tk_isa", static_cast<int>(exec.isa));
  if (!tk_cpu_has(isa)) return fail(TK_NO_ISA, "this CPU has no %s", isa == TK_ISA_AVX2 ? "AVX2 with FMA" : "AVX-512");
  if (exec.threads < 0 || exec.threads > 4096)
    return fail(TK_BAD_ARGUMENT, "threads is %d: expected 0 (all cores) to 4096", exec.threads);
  target.backend = isa == TK_ISA_AVX512 ? &cpu_avx512() : isa == TK_ISA_AVX2 ? &cpu_avx2() : &cpu_baseline();
  target.cpu = {threads_for(exec.threads)};
  return TK_OK;
}

/// TK_OK where all memory can be used by the GPU (or, else, by the CPU).
tk_status require_memory(const Regions& regions, bool by_gpu) {
  for (const Region& region : regions.all()) {
    const Memory memory = cuda_memory_of(region.data);
    if (memory == Memory::either || (memory == Memory::device) == by_gpu) continue;
    return fail(TK_WRONG_MEMORY, "%s is %s memory, and the backend is %s", region.name, by_gpu ? "host" : "device",
                by_gpu ? "cuda" : "cpu");
  }
  return TK_OK;
}

}  // namespace

tk_status choose_target(const tk_exec& exec, const Regions& regions, std::size_t workspace_bytes, Target& target) {
  if (exec.backend != TK_AUTO && exec.backend != TK_CPU && exec.backend != TK_CUDA)
    return fail(TK_BAD_ARGUMENT, "backend is %d, not a tk_backend", static_cast<int>(exec.backend));
  const int devices = exec.backend == TK_CPU && !cuda_built() ? 0 : cuda_device_count();
  if (exec.backend == TK_CUDA && devices == 0)
    return fail(TK_NO_DEVICE, cuda_built() ? "no CUDA device" : "this build has no CUDA kernels");
  target.on_gpu = exec.backend == TK_CUDA || (exec.backend == TK_AUTO && devices > 0 &&
                                              cuda_memory_of(regions.all().front().data) == Memory::device);
  Regions all = regions;
  if (workspace_bytes > 0) {
    if (exec.workspace == nullptr || exec.workspace_bytes < workspace_bytes)
      return fail(TK_WORKSPACE, "the workspace has %zu bytes and %zu are needed",
                  exec.workspace == nullptr ? std::size_t{0} : exec.workspace_bytes, workspace_bytes);
    if (reinterpret_cast<std::uintptr_t>(exec.workspace) % 16 != 0)
      return fail(TK_BAD_ARGUMENT, "the workspace is at %p, not a multiple of 16 bytes", exec.workspace);
    if (const tk_status status = regions.check_apart(exec.workspace, workspace_bytes); status != TK_OK) return status;
    all.writes("the workspace", exec.workspace, workspace_bytes);
  }
  if (devices > 0)
    if (const tk_status status = require_memory(all, target.on_gpu); status != TK_OK) return status;
  if (!target.on_gpu) return choose_cpu(exec, target);
  target.backend = &cuda_backend();
  target.cuda = {exec.stream};
  return TK_OK;
}

tk_status outcome(const Target& target) {
  if (target.on_gpu)
    if (const char* error = cuda_last_error()) return fail(TK_CUDA_ERROR, "CUDA: %s", error);
  return succeed();
}

}  // namespace toposim::kernels

extern "C" {

int tk_cpu_has(tk_isa isa) {
  __builtin_cpu_init();
  switch (isa) {
    case TK_ISA_BEST:
    case TK_ISA_BASELINE:
      return 1;
    case TK_ISA_AVX2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case TK_ISA_AVX512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  }
  return 0;
}

int tk_cuda_device_count(void) {
  return toposim::kernels::cuda_device_count();
}

int tk_shape_version(void) {
  return toposim::kernels::shape_version;
}
}
