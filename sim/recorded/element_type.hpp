#pragma once
#include <cstddef>
#include <cstdint>

namespace toposim::recorded {

/// How a file holds numbers, little endian.
enum class ElementType : std::uint8_t { fp32, fp16, bf16 };

constexpr std::uint64_t element_bytes(ElementType type) {
  return type == ElementType::fp32 ? 4 : 2;
}

/// fp16 or bf16 to fp32, exact; needs a processor that topology::check_processor accepts.
void widen(ElementType type, const std::uint16_t* numbers, std::size_t count, float* out);

}  // namespace toposim::recorded
