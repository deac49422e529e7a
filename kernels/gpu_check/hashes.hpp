#pragma once
// Every case of tests/kernels against its golden hash, through the C ABI, in memory of the backend's own kind.
#include <cstdio>
#include <stdexcept>

#include "tests/kernels/abi_engine.hpp"
#include "tests/kernels/golden_hashes.hpp"
#include "tests/kernels/kernel_cases.hpp"

namespace toposim::kernels::gpu_check {

/// Prints a line per case that misses its hash, and returns how many do. `where` says how vectors lie.
template <class Memory>
int count_misses(const std::vector<test::Case>& cases, const std::map<std::string, std::string>& golden,
                 const tk_exec& exec, std::size_t offset, const char* where) {
  test::AbiEngine<Memory> engine(exec, Memory(offset));
  int misses = 0;
  for (const test::Case& c : cases) {
    const auto expected = golden.find(name_of(c));
    if (expected == golden.end()) throw std::runtime_error("no golden hash of \"" + name_of(c) + "\"");
    std::string actual;
    try {
      actual = test::in_hex(hash_of(engine, c));
    } catch (const std::exception& error) {
      throw std::runtime_error(name_of(c) + ": " + error.what());  // after an error a device answers nothing more
    }
    if (actual == expected->second) continue;
    ++misses;
    std::printf("mismatch: %s: %s, golden %s (%s)\n", name_of(c).c_str(), actual.c_str(), expected->second.c_str(),
                where);
  }
  return misses;
}

/// Aligned vectors, and vectors 4 bytes off, where four neighbours cannot be read at once. The number of misses.
/// `listed`: only the cases that the file lists; else every case, and the file has to list them all.
template <class Memory>
int check_hashes(const std::string& golden_file, bool listed, tk_exec exec, void* other_stream) {
  const auto golden = test::golden_hashes(golden_file);
  if (golden.empty()) throw std::runtime_error("no golden hashes in " + golden_file);
  std::vector<test::Case> cases = test::all_cases();
  if (listed) std::erase_if(cases, [&](const test::Case& c) { return !golden.contains(name_of(c)); });
  if (cases.size() != golden.size())
    throw std::runtime_error(golden_file + " has " + std::to_string(golden.size()) + " hashes, of " +
                             std::to_string(cases.size()) + " cases");
  int misses = count_misses<Memory>(cases, golden, exec, 0, "aligned, default stream");
  exec.stream = other_stream;
  misses += count_misses<Memory>(cases, golden, exec, 4, "4 bytes off, a stream of its own");
  std::printf("%zu hashes, aligned and 4 bytes off: %d mismatches\n", cases.size(), misses);
  return misses;
}

}  // namespace toposim::kernels::gpu_check
