#pragma once
// The memory that a call reads and writes: checked as a whole before anything runs.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/topokernels.h"

namespace toposim::kernels {

struct Region {
  const char* name;      ///< of the argument, for messages
  std::size_t position;  ///< in its array; none: no_position
  const void* data;
  std::size_t bytes;
  bool written;
  std::size_t alignment = 4;
};
inline constexpr std::size_t no_position = SIZE_MAX;

class Regions {
 public:
  /// A vector of `elements`, with its scales where it is int8.
  void reads(const char* name, const tk_vector& vector, tk_type type, std::size_t elements,
             std::size_t position = no_position);
  void reads(const char* name, const void* data, std::size_t bytes, std::size_t position = no_position);
  void writes(const char* name, const void* data, std::size_t bytes, std::size_t position = no_position);
  /// fp64 numbers.
  void writes_doubles(const char* name, const void* data, std::size_t count);

  /// Null pointers, alignment, and what is written overlapping anything else; one that is written may coincide with one
  /// that is read (in place) where `in_place`. TK_OK or TK_BAD_ARGUMENT with its message.
  tk_status check(bool in_place) const;
  /// The workspace overlaps none of them.
  tk_status check_apart(const void* workspace, std::size_t bytes) const;
  const std::vector<Region>& all() const { return regions_; }

 private:
  std::vector<Region> regions_;
};

std::size_t bytes_of(tk_type type, std::size_t elements);

}  // namespace toposim::kernels
