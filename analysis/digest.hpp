#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/results.hpp"

namespace toposim::analysis {

/// FNV-1a, 64 bits (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv): one multiplication a byte, the same
/// on every machine. It tells whether results are equal; it is no protection against somebody who wants a collision.
class Fnv1a64 {
 public:
  void add_bytes(std::string_view bytes);
  void add(std::uint64_t value);  ///< 8 bytes, least significant first
  void add(std::int64_t value);
  void add(double value);           ///< its bits; -0 as 0, every NaN as the same
  void add(std::string_view text);  ///< length, then bytes, so that ("ab", "c") differs from ("a", "bc")
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// How many, then each with its name.
void add_named(Fnv1a64& hash, const Named& named);
void add_metric(Fnv1a64& hash, const Metric& metric);
/// "fnv1a64:" and 16 hexadecimal digits.
std::string digest_text(const Fnv1a64& hash);

/// "fnv1a64:0123456789abcdef" of what came out: step breakdown and shape, memory, fabric cross-check, every metric of
/// every replica and scheme, the timeline. Left out: what went in (scenario, seed, settings, assumptions), so that a
/// knob that changes nothing leaves the digest alone; what the run cost and the versions; warnings; closed forms and
/// intervals, which derive from the rest through exp and Student's t, whose last bit may differ between machines.
/// Throws ResultsError as check().
std::string digest(const Results& results);

}  // namespace toposim::analysis
