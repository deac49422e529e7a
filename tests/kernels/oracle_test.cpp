// Every operation against fp64, for every type it takes. Bounds are derived in oracle.hpp, next to what they bound.
#include "oracle.hpp"

#include <gtest/gtest.h>

#include "calls.hpp"

namespace toposim::kernels::oracle {
namespace {

class Oracle : public OnCpu {};
INSTANTIATE_TEST_SUITE_P(Cpu, Oracle, every_cpu(), cpu_name);

// One and two elements; a lane's worth, a row of 128 and a strip of 4096, with one less and one more; several strips.
constexpr std::size_t sizes[] = {1, 2, 31, 127, 128, 129, 1000, 4095, 4096, 4097, 20000};
constexpr std::size_t longest = 20000;

std::string where(tk_type type, Data data, std::size_t elements, const std::string& more = {}) {
  return std::string(name_of(type)) + " " + name_of(data) + ", " + std::to_string(elements) + " elements" + more;
}
std::vector<double> magnitudes(const Vector& v) {
  std::vector<double> result;
  for (const double x : v.values) result.push_back(std::fabs(x));
  return result;
}

// The oracle's own conversions, by hand. bf16 has steps of 2^-7 from 1 on: 1 + 2^-8 is a tie and goes to the even 1,
// 1 + 3 x 2^-8 to the even 1 + 2^-6. Its largest number is (2 - 2^-7) 2^127; half a step more is infinity. 1 in bf16 is
// the upper half of 0x3f800000; its smallest number is 2^-133.
TEST(OracleItself, RoundsByHand) {
  EXPECT_EQ(as_bf16(1 + 0x1p-8), 1);
  EXPECT_EQ(as_bf16(1 + 3 * 0x1p-8), 1 + 0x1p-6);
  EXPECT_EQ(as_bf16(-0x1.fep127 - 0x1p119), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_bf16(0x1.8p-133), 0x1p-132);
  EXPECT_EQ(as_fp32(1 + 0x1p-24), 1);
  EXPECT_EQ(as_fp32(0x1.8p-149), 0x1p-148);
  EXPECT_EQ(bf16_bits(1), 0x3f80);
  EXPECT_EQ(bf16_bits(-0x1p-133), 0x8001);
  EXPECT_EQ(bf16_value(0x3f80), 1);
  EXPECT_EQ(bf16_value(0xc040), -3);
  EXPECT_EQ(bf16_value(0x0001), 0x1p-133);
}

// K fma, in one pass up to 64 inputs and in two beyond; normalised weights are those divided in fp64.
TEST_P(Oracle, PoolIsTheWeightedSum) {
  for (const tk_type type : all_types) {
    for (const Data data : all_data) {
      const std::vector<Vector> all = vectors(type, data, 70, longest);
      for (const std::size_t k : {1, 2, 8, 64, 70}) {
        const std::vector<Vector> inputs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k));
        std::vector<const Vector*> pointers;
        for (const Vector& v : inputs) pointers.push_back(&v);
        const std::vector<float> weights = some_weights(k);
        for (const bool normalise : {false, true}) {
          const Expected e = pool(pointers, normalise ? normalised(weights) : weights, longest);
          for (const std::size_t elements : sizes) {
            if (normalise && elements != 4097) continue;
            for (const tk_type output : float_types) {
              Expected prefix = e;
              prefix.value.resize(elements);
              Worst worst;
              worst.see(caller.pool(inputs, weights, output, elements, normalise).values, stored_as(output, prefix));
              expect(worst, where(type, data, elements, ", " + std::to_string(k) + " inputs to " + name_of(output)));
            }
          }
        }
      }
    }
  }
}

// Segments of 1, 64, 70, 2 and 3 inputs: some share a launch, one fills it, one takes two passes in between.
TEST_P(Oracle, PoolOfSeveralSegmentsIsEachOfThem) {
  const std::vector<std::size_t> first = {0, 1, 65, 135, 137, 140};
  const std::vector<float> weights = some_weights(140);
  for (const tk_type type : all_types) {
    const std::vector<Vector> inputs = vectors(type, Data::wide, 140, 4097);
    for (const tk_type output : float_types) {
      for (const std::size_t elements : {129, 4097}) {
        const std::vector<Vector> got = caller.pool(inputs, first, weights, output, elements, true);
        for (std::size_t s = 0; s + 1 < first.size(); ++s) {
          std::vector<const Vector*> pointers;
          for (std::size_t i = first[s]; i < first[s + 1]; ++i) pointers.push_back(&inputs[i]);
          const std::vector<float> own(weights.begin() + static_cast<std::ptrdiff_t>(first[s]),
                                       weights.begin() + static_cast<std::ptrdiff_t>(first[s + 1]));
          Worst worst;
          worst.see(got[s].values, stored_as(output, pool(pointers, normalised(own), elements)));
          expect(worst, where(type, Data::wide, elements, ", segment " + std::to_string(s)));
        }
      }
    }
  }
}

// One product, rounded once, then once more for bf16: both roundings are the oracle's to the bit.
TEST_P(Oracle, ScaleIsTheProduct) {
  for (const tk_type type : float_types) {
    for (const Data data : all_data) {
      const Vector original(type, numbers(data, longest, 3));
      for (const std::size_t elements : sizes) {
        for (const float factor : {0.7f, -3.0f, 0.0f, 1.0f}) {
          Vector v = original;
          caller.run(tk_scale, tk_scale_args{elements, type, v.data(), factor});
          v.refresh();
          Expected e{original.values, std::vector<double>(longest, 0)};
          for (std::size_t j = 0; j < elements; ++j) {
            e.value[j] = as_fp32(static_cast<double>(factor) * original.values[j]);
            if (type == TK_BF16) e.value[j] = as_bf16(e.value[j]);
          }
          Worst worst;
          worst.see(v.values, e);
          expect(worst, where(type, data, elements, ", times " + std::to_string(factor)));
        }
      }
    }
  }
}

TEST_P(Oracle, CorrectMixesLocalAndGlobal) {
  for (const tk_type type : all_types) {
    for (const Data data : all_data) {
      const std::vector<Vector> two = vectors(type, data, 2, longest, 4);
      for (const float beta : {0.0f, 0.1f, 0.9f, 1.0f}) {
        const Expected all = correct(two[0], two[1], beta, longest);
        for (const std::size_t elements : sizes) {
          for (const tk_type output : float_types) {
            Vector result(output, elements);
            caller.run(tk_correct,
                       tk_correct_args{elements, type, output, two[0].view(), two[1].view(), beta, result.data()});
            EXPECT_TRUE(result.untouched_behind(elements));
            result.refresh();
            Expected e = all;
            e.value.resize(elements);
            Worst worst;
            worst.see(result.values, stored_as(output, e));
            expect(worst, where(type, data, elements, ", beta " + std::to_string(beta)));
          }
        }
      }
    }
  }
}

Worst worst_of(const tk_metrics_sums& got, const std::array<Sum, 4>& e) {
  Worst worst;
  worst.see(got.dot, e[0].value, e[0].bound, 0);
  worst.see(got.estimate_square, e[1].value, e[1].bound, 1);
  worst.see(got.truth_square, e[2].value, e[2].bound, 2);
  worst.see(got.error_square, e[3].value, e[3].bound, 3);
  return worst;
}

TEST_P(Oracle, CompareAddsTheFourSums) {
  for (const tk_type type : all_types) {
    for (const Data data : all_data) {
      const std::vector<Vector> two = vectors(type, data, 2, longest, 5);
      for (const std::size_t elements : sizes)
        expect(worst_of(caller.compare(two[0], two[1], elements),
                        metrics(two[0].values, magnitudes(two[0]), 0, two[1], elements)),
               where(type, data, elements));
    }
  }
}

TEST_P(Oracle, PoolMetricsAreThoseOfTheEstimate) {
  for (const tk_type type : all_types) {
    for (const Data data : all_data) {
      const std::vector<Vector> all = vectors(type, data, 64, longest, 6);
      const Vector truth(type, numbers(data, longest, 66));
      for (const std::size_t k : {1, 2, 8, 64}) {
        const std::vector<Vector> inputs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k));
        std::vector<const Vector*> pointers;
        for (const Vector& v : inputs) pointers.push_back(&v);
        const std::vector<float> weights = some_weights(k);
        const Expected estimate = pool(pointers, normalised(weights), longest);
        std::vector<double> size(longest);
        for (std::size_t j = 0; j < longest; ++j)
          size[j] = estimate.bound[j] / roundings(static_cast<double>(k));  // sum |a_i G_i|, and what underflows
        for (const std::size_t elements : sizes)
          expect(worst_of(caller.pool_metrics(inputs, weights, truth, elements, true),
                          metrics(estimate.value, size, static_cast<double>(k), truth, elements)),
                 where(type, data, elements, ", " + std::to_string(k) + " inputs"));
      }
    }
  }
}

// 1 to 17 inputs, all remainders of the tiles of pairs that kernels may work in, at two sizes, and 17 at all of them.
TEST_P(Oracle, GramIsAllDotProducts) {
  for (const tk_type type : all_types) {
    for (const Data data : all_data) {
      const std::vector<Vector> inputs = vectors(type, data, 17, longest, 8);
      for (const std::size_t elements : sizes) {
        std::vector<Sum> e;
        std::vector<tk_vector> views;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          for (std::size_t j = 0; j <= i; ++j) e.push_back(dot(inputs[i], inputs[j], elements));
          views.push_back(inputs[i].view());
          if (i + 1 < inputs.size() && elements != 129 && elements != 4097) continue;
          const std::vector<double> got = caller.gram(views, type, elements);
          Worst worst;
          for (std::size_t pair = 0; pair < e.size(); ++pair) worst.see(got[pair], e[pair].value, e[pair].bound, pair);
          expect(worst, where(type, data, elements, ", " + std::to_string(i + 1) + " inputs"));
        }
      }
    }
  }
}

// 2^18 + 129 elements: two blocks, the second of two rows.
TEST_P(Oracle, SketchAddsWithTheHashsSigns) {
  for (const tk_type type : all_types) {
    for (const Data data : all_data) {
      const Vector input(type, numbers(data, (1u << 18) + 129, 9));
      for (const std::size_t width : {64u, 192u, 4096u}) {
        for (const std::size_t elements :
             {1u, 2u, 31u, 127u, 128u, 129u, 1000u, 4095u, 4096u, 4097u, 20000u, (1u << 18) + 129}) {
          const std::uint64_t seed = 0x9e3779b97f4a7c15u * width + elements;
          Worst worst;
          worst.see(caller.sketch(input, elements, width, seed), sketch(input, elements, width, seed));
          expect(worst, where(type, data, elements, ", width " + std::to_string(width)));
        }
      }
    }
  }
}

// The norm is the root of a sum of squares, which halves its relative error. What is multiplied: limit / norm, off by
// as much, rounded to fp32, and the product rounded: two roundings more. Above the limit (half of the norm) all is
// scaled, below it (twice) only with normalise. Squares of subnormals vanish: those are left out.
TEST_P(Oracle, ClipScalesToTheLimit) {
  for (const tk_type type : float_types) {
    for (const Data data : {Data::uniform, Data::wide}) {
      const Vector original(type, numbers(data, longest, 10));
      for (const std::size_t elements : sizes) {
        const Sum square = dot(original, original, elements);
        const double norm = std::sqrt(square.value);
        const double norm_bound = norm - std::sqrt(std::max(0.0, square.value - square.bound)) + 0x1p-50 * norm;
        for (const double times : {0.5, 2.0}) {
          for (const bool normalise : {false, true}) {
            Vector v = original;
            const double limit = times * norm, got_norm = caller.clip(v, elements, limit, normalise);
            Worst worst;
            worst.see(got_norm, norm, norm_bound, 0);
            expect(worst, where(type, data, elements, ", the norm"));
            const double factor = times < 1 || normalise ? times : 1;
            const double relative = factor == 1 ? 0 : norm_bound / (norm - norm_bound) + roundings(2);
            Expected e{original.values, std::vector<double>(longest, 0)};
            for (std::size_t j = 0; j < elements; ++j) {
              e.value[j] *= factor;
              e.bound[j] = relative * std::fabs(e.value[j]) + (factor == 1 ? 0 : tiny);
              if (type == TK_BF16 && factor != 1) e.bound[j] += bf16_unit * (std::fabs(e.value[j]) + e.bound[j]);
            }
            Worst scaled;
            scaled.see(v.values, e);
            expect(scaled, where(type, data, elements, ", limit " + std::to_string(times) + " of the norm"));
          }
        }
      }
    }
  }
}

// max / 127 is rounded once, which the oracle's scale is too, to the bit. q is the nearest integer to a quotient that
// is rounded once: 1/2, and 127 roundings' worth where the quotient is largest. A subnormal scale is coarse: quotients
// beyond 127 become 127.
TEST_P(Oracle, QuantiseIsTheNearestOf255Levels) {
  for (const tk_type type : float_types) {
    for (const Data data : all_data) {
      const Vector input(type, numbers(data, longest, 11));
      for (const std::size_t elements : sizes) {
        const Vector expected(
            TK_INT8,
            std::vector<double>(input.values.begin(), input.values.begin() + static_cast<std::ptrdiff_t>(elements)));
        const Vector got = caller.quantise(input, elements);
        Worst worst;
        for (std::size_t j = 0; j < elements; ++j) {
          const float scale = got.scales[j / 128];
          ASSERT_EQ(scale, expected.scales[j / 128]) << where(type, data, elements) << ", at " << j;
          if (scale == 0.0f) continue;  // a block of zeros
          const double quotient = input.values[j] / static_cast<double>(scale);
          const int q = static_cast<const std::int8_t*>(got.data())[j];
          worst.see(q, std::clamp(quotient, -127.0, 127.0), 0.5 + 127 * unit, j);
        }
        expect(worst, where(type, data, elements));
      }
    }
  }
}

// q x scale, rounded to fp32, then to bf16 where asked: to the bit, all values of q in blocks of different scales.
TEST_P(Oracle, DequantiseIsTheProduct) {
  Vector input(TK_INT8, numbers(Data::wide, longest, 12));
  for (std::size_t j = 0; j < longest; ++j)
    static_cast<std::int8_t*>(input.data())[j] = static_cast<std::int8_t>(static_cast<int>(j * 7 % 256) - 128);
  input.scales[1] = 0x1p-140f;  // q x scale is subnormal
  input.scales[2] = 0x1.fffffep127f;
  input.refresh();
  for (const std::size_t elements : sizes) {
    for (const tk_type output : float_types) {
      const Vector got = caller.dequantise(input, output, elements);
      for (std::size_t j = 0; j < elements; ++j)
        ASSERT_EQ(got.values[j], output == TK_BF16 ? as_bf16(input.values[j]) : input.values[j]) << j;
    }
  }
}

// An infinity or a NaN in an input is one in the output, and there only; in bf16 a NaN is 0x7fc0. A sum that leaves the
// range is infinite: 2 x 2^127 = 2^128.
TEST_P(Oracle, NotFiniteStaysWhereItIs) {
  std::vector<double> x = numbers(Data::uniform, 300, 13);
  x[0] = 0x1p127;
  x[130] = std::numeric_limits<double>::infinity();
  x[299] = std::nan("");
  const std::vector<Vector> inputs(1, Vector(TK_BF16, x));
  for (const tk_type output : float_types) {
    const Vector got = caller.pool(inputs, {2.0f}, output, 300);
    for (std::size_t j = 0; j < 300; ++j) EXPECT_EQ(std::isfinite(got.values[j]), j != 0 && j != 130 && j != 299) << j;
    EXPECT_EQ(got.values[0], std::numeric_limits<double>::infinity());
    EXPECT_EQ(got.values[130], std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(got.values[299]));
    if (output == TK_BF16) {
      EXPECT_EQ(static_cast<const std::uint16_t*>(got.data())[299], 0x7fc0);
    }
  }
  // Blocks of 128: the second holds the infinity and the third the NaN; all of both read back as NaN.
  const Vector q = caller.quantise(inputs[0], 300);
  const Vector back = caller.dequantise(q, TK_FP32, 300);
  for (std::size_t j = 0; j < 300; ++j) EXPECT_EQ(std::isnan(back.values[j]), j >= 128) << j;
}

// e = (4, 3), t = (3, 0): dot 12, squares 25 and 9, so the cosine is 12 / (5 x 3) = 0.8 and the angle 36.87 degrees;
// the error (1, 3) has the square 10. Against a zero truth the cosine is 0, so 90 degrees.
TEST(OracleMetrics, AreDerivedFromSums) {
  tk_metrics_sums sums{12, 25, 9, 10};
  EXPECT_DOUBLE_EQ(tk_derive_metrics(&sums).cosine, 0.8);
  EXPECT_DOUBLE_EQ(tk_derive_metrics(&sums).angle_deg, 36.86989764584402);
  EXPECT_DOUBLE_EQ(tk_derive_metrics(&sums).relative_l2, std::sqrt(10.0 / 9));
  sums = {0, 25, 0, 25};
  EXPECT_EQ(tk_derive_metrics(&sums).cosine, 0);
  EXPECT_DOUBLE_EQ(tk_derive_metrics(&sums).angle_deg, 90);
  EXPECT_EQ(tk_derive_metrics(&sums).relative_l2, std::numeric_limits<double>::infinity());
  sums = {0, 0, 0, 0};
  EXPECT_EQ(tk_derive_metrics(&sums).relative_l2, 0);
  sums = {1.0000001, 1, 1, 0};  // rounding may leave a cosine above 1: the angle is 0 all the same
  EXPECT_EQ(tk_derive_metrics(&sums).angle_deg, 0);
  sums = {-1.0000001, 1, 1, 4};
  EXPECT_DOUBLE_EQ(tk_derive_metrics(&sums).angle_deg, 180);
}

}  // namespace
}  // namespace toposim::kernels::oracle
