// Runs every kernel on several threads, and from several threads at once, for ThreadSanitizer to watch
// (thread_sanitizer.sh). Exit status 1 where a hash is missed.
#include <atomic>
#include <cstdio>
#include <thread>

#include "abi_engine.hpp"
#include "golden_hashes.hpp"
#include "kernel_cases.hpp"

int main(int argc, char** argv) {
  using namespace toposim::kernels::test;
  const auto golden = golden_hashes(argc == 2 ? argv[1] : "");
  std::atomic<int> computed = 0, missed = 0;
  // Three strips and a part, and the least; two blocks of a sketch.
  const auto run_all = [&] {
    AbiEngine<HostMemory> engine(tk_exec{TK_CPU, TK_ISA_BASELINE, 3, nullptr, nullptr, 0}, HostMemory());
    for (const Case& c : all_cases()) {
      const bool large = c.op == Op::sketch && c.elements == (1u << 18) + 129;
      if (c.data != Data::uniform || !(large || c.elements == 8321 || c.elements == 300 || c.elements == 1)) continue;
      ++computed;
      if (golden.find(name_of(c)) == golden.end() || golden.at(name_of(c)) != in_hex(hash_of(engine, c))) ++missed;
    }
  };
  run_all();
  std::thread other(run_all);
  run_all();
  other.join();
  std::printf("%d hashes, %d missed\n", computed.load(), missed.load());
  return computed > 0 && missed == 0 ? 0 : 1;
}
