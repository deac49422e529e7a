// The CPU backend, compiled once per instruction set (kernels/CMakeLists.txt). Nothing here may instantiate what other
// translation units instantiate too, or the linker could keep the copy that this CPU cannot run: no standard library.
#include "kernels/backend/cpu.hpp"

#include "kernels/backend/plain_arithmetic.hpp"
#include "kernels/pack/cpu_family.hpp"

// All that is needed of <omp.h>, which only the compiler that builds this has for certain.
extern "C" int omp_get_max_threads();

namespace toposim::kernels {
namespace TK_ISA {
namespace {

class CpuLauncher {
 public:
  explicit CpuLauncher(const void* how) : threads_(static_cast<const CpuHow*>(how)->threads) {}

  template <class Job>
  void operator()(const Job& job) const {
    const auto items = static_cast<long long>(job.items());
    const long long wanted = threads_ > 0 ? threads_ : omp_get_max_threads();
    const int team = static_cast<int>(wanted < items ? wanted : items);
#pragma omp parallel num_threads(team) if (team > 1)
    {
      const PlainArithmetic plain;
#pragma omp for schedule(static)
      for (long long item = 0; item < items; ++item) job.template run<Cpu>(static_cast<std::size_t>(item));
    }
  }

 private:
  int threads_;
};

constexpr Backend table = backend_of<CpuLauncher>();

}  // namespace
}  // namespace TK_ISA

#define TK_JOIN(a, b) a##b
#define TK_BACKEND(isa) TK_JOIN(cpu_, isa)
const Backend& TK_BACKEND(TK_ISA)() {
  return TK_ISA::table;
}

}  // namespace toposim::kernels
