#pragma once
// Arrays of .npy files, without their numbers. NumPy has no bf16: what ml_dtypes.bfloat16 arrays and array.view('V2')
// are saved as ('<V2', '|V2') is read as bf16. Plain 16-bit integers are refused, since they may be just that.
#include <cstdint>
#include <vector>

#include "sim/recorded/element_type.hpp"
#include "sim/recorded/source_file.hpp"

namespace toposim::recorded {

struct NpyArray {
  ElementType type = ElementType::fp32;
  std::vector<std::uint64_t> shape;
  std::uint64_t data_offset = 0;
};

/// Throws RecordedError: file, byte, what is wrong and what to do; a file too short or too long for its shape too.
NpyArray read_npy_array(const SourceFile& file);

}  // namespace toposim::recorded
