#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "recordings.hpp"
#include "sim/recorded/element_type.hpp"

namespace toposim::recorded {
namespace {

struct Format {
  ElementType type;
  int mantissa_bits, bias;
};
constexpr Format fp16{ElementType::fp16, 10, 15}, bf16{ElementType::bf16, 7, 127};

// All 65,536 patterns by the definition: sign, exponent e, mantissa m of b bits: (1 + m / 2^b) 2^(e - bias), for e = 0
// m / 2^b 2^(1 - bias); e of all ones is an infinity (m = 0) or a NaN.
TEST(RecordedNumbers, EveryPattern) {
  for (const Format format : {fp16, bf16}) {
    std::vector<std::uint16_t> patterns(65'536);
    for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i] = static_cast<std::uint16_t>(i);
    std::vector<float> values(patterns.size());
    widen(format.type, patterns.data(), patterns.size(), values.data());
    const int b = format.mantissa_bits, top = (1 << (15 - b)) - 1;
    for (int i = 0; i < 65'536; ++i) {
      const int m = i & ((1 << b) - 1), e = i >> b & top;
      const double size = e == 0 ? std::ldexp(m, 1 - format.bias - b) : std::ldexp((1 << b) + m, e - format.bias - b);
      const float value = values[static_cast<std::size_t>(i)];
      if (e == top && m != 0) {
        EXPECT_TRUE(std::isnan(value)) << i;
        continue;
      }
      EXPECT_EQ(std::signbit(value), i >= 32'768) << i;
      EXPECT_EQ(std::fabs(static_cast<double>(value)), e == top ? HUGE_VAL : size) << i;
    }
  }
}

// Smallest subnormal, largest subnormal, smallest normal, largest: 2^-24, 1023 2^-24, 2^-14, 2047 2^5 in fp16;
// 2^-133, 127 2^-133, 2^-126, 255 2^120 in bf16. In one row and, as those beyond 8 go another way, in rows of 9.
TEST(RecordedNumbers, LimitsFromAFile) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 1, "steps": [{"step": 0, "file": "h.npy"},
                                                                               {"step": 1, "file": "b.npy"}]})");
  const std::vector<std::uint16_t> half{0x0001, 0x03ff, 0x0400, 0x7bff, 0x8001, 0x8000, 0x0000, 0xfbff, 0x83ff};
  const std::vector<std::uint16_t> brain{0x0001, 0x007f, 0x0080, 0x7f7f, 0x8001, 0x8000, 0x0000, 0xff7f, 0x807f};
  folder.write("h.npy", npy("<f2", "1, 9", bytes_of(half)));
  folder.write("b.npy", npy("<V2", "1, 9", bytes_of(brain)));
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  EXPECT_EQ(row(gradients, 0, 0), (std::vector<float>{0x1p-24f, 1023 * 0x1p-24f, 0x1p-14f, 65504, -0x1p-24f, 0, 0,
                                                      -65504, -1023 * 0x1p-24f}));
  EXPECT_EQ(row(gradients, 1, 0), (std::vector<float>{0x1p-133f, 127 * 0x1p-133f, 0x1p-126f, 255 * 0x1p120f, -0x1p-133f,
                                                      0, 0, -255 * 0x1p120f, -127 * 0x1p-133f}));
}

// Two workers of three numbers, 128 bytes before them. The fifth number is worker 1, number 1: byte 128 + 4 x size.
TEST(RecordedNumbers, NotFinite) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 2, "steps": [{"step": 30, "file": "s.npy"}]})");
  const auto said = [](const std::string& byte, const std::string& value) {
    return "s.npy: byte " + byte + ": step 30, worker 1, number 1: " + value +
           " is no gradient; leave the step out of the index, or record it again";
  };
  for (const std::uint16_t pattern : {0x7c00, 0xfc00, 0x7c01, 0x7e00}) {
    folder.write("s.npy", npy("<f2", "2, 3", bytes_of(std::vector<std::uint16_t>{0, 0, 0, 0, pattern, 0})));
    EXPECT_EQ(refusal(folder), said("136", pattern == 0x7c00 ? "inf" : pattern == 0xfc00 ? "-inf" : "nan"));
  }
  for (const std::uint16_t pattern : {0x7f80, 0xff80, 0x7f81}) {
    folder.write("s.npy", npy("<V2", "2, 3", bytes_of(std::vector<std::uint16_t>{0, 0, 0, 0, pattern, 0})));
    EXPECT_EQ(refusal(folder), said("136", pattern == 0x7f80 ? "inf" : pattern == 0xff80 ? "-inf" : "nan"));
  }
  for (const std::uint32_t pattern : {0x7f800000u, 0xff800000u, 0x7f800001u}) {
    folder.write("s.npy", npy("<f4", "2, 3", bytes_of(std::vector<std::uint32_t>{0, 0, 0, 0, pattern, 0})));
    EXPECT_EQ(refusal(folder), said("144", pattern == 0x7f800000u ? "inf" : pattern == 0xff800000u ? "-inf" : "nan"));
  }
}

// b is [6, 8) of the data, which begins at 8 + 108; its second number lies at 116 + 6 + 2.
TEST(RecordedNumbers, NotFiniteInATensor) {
  const TemporaryFolder folder;
  folder.write("index.json",
               R"({"schema_version": 1, "workers": 1, "steps": [{"step": 3, "files": ["s.safetensors"]}]})");
  const std::string header =
      R"({"a":{"dtype":"F16","shape":[3],"data_offsets":[0,6]},"b":{"dtype":"F16","shape":[2],"data_offsets":[6,10]}})";
  ASSERT_EQ(header.size(), 108u);
  folder.write("s.safetensors", safetensors(header, bytes_of(std::vector<std::uint16_t>{0, 0, 0, 0, 0x7e00})));
  EXPECT_EQ(
      refusal(folder),
      "s.safetensors: byte 124: step 3, worker 0, tensor 'b', number 1: nan is no gradient; leave the step out of the "
      "index, or record it again");
}

// Numbers are widened 65,536 at a time: number i is i mod 2048, exact in fp16.
TEST(RecordedNumbers, ManyParts) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 1, "steps": [{"step": 1, "files": ["w.npy"]}]})");
  const auto fp16_of = [](std::uint32_t n) {  // normal numbers below 2048
    if (n == 0) return std::uint16_t{0};
    const auto e = static_cast<std::uint32_t>(std::bit_width(n)) - 1;
    return static_cast<std::uint16_t>((e + 15) << 10 | ((n << (10 - e)) & 1023));
  };
  std::vector<std::uint16_t> numbers(150'001);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = fp16_of(static_cast<std::uint32_t>(i % 2048));
  folder.write("w.npy", npy("<f2", "150001,", bytes_of(numbers)));
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  for (const std::size_t begin : {0u, 1u, 65'535u, 70'001u}) {
    std::vector<float> out(numbers.size() - begin);
    gradients.read(0, 0, begin, out);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i) wrong += out[i] != static_cast<float>((begin + i) % 2048);
    EXPECT_EQ(wrong, 0u) << begin;
  }
}

}  // namespace
}  // namespace toposim::recorded
