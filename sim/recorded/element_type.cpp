#include "sim/recorded/element_type.hpp"

#include <bit>

#include "topology/semantic/half.hpp"

namespace toposim::recorded {

static_assert(std::endian::native == std::endian::little, "files are read as they lie");

void widen(ElementType type, const std::uint16_t* numbers, std::size_t count, float* out) {
  if (type == ElementType::fp16) {
    topology::widen_halves(numbers, count, out);
    return;
  }
  // bf16 is the upper half of an fp32.
  for (std::size_t i = 0; i < count; ++i) out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(numbers[i]) << 16);
}

}  // namespace toposim::recorded
