// What holds between results, to the bit where arithmetic says so.
#include <gtest/gtest.h>

#include <numeric>

#include "calls.hpp"
#include "oracle.hpp"

namespace toposim::kernels::oracle {
namespace {

class Property : public OnCpu {};
INSTANTIATE_TEST_SUITE_P(Cpu, Property, every_cpu(), cpu_name);

constexpr std::size_t property_elements = 9000;  // three strips, the last of 6 rows and a part

std::vector<const Vector*> pointers_to(const std::vector<Vector>& inputs) {
  std::vector<const Vector*> result;
  for (const Vector& v : inputs) result.push_back(&v);
  return result;
}
std::vector<tk_vector> views_of(const std::vector<Vector>& inputs) {
  std::vector<tk_vector> result;
  for (const Vector& v : inputs) result.push_back(v.view());
  return result;
}

// Any order is a chain of K roundings, so that both results are within the oracle's bound of the one true sum.
TEST_P(Property, OrderOfInputsChangesPoolWithinTheBound) {
  for (const tk_type type : all_types) {
    const std::vector<Vector> inputs = vectors(type, Data::wide, 20, property_elements, 21);
    const std::vector<float> weights = some_weights(20);
    const std::vector<Vector> reversed(inputs.rbegin(), inputs.rend());
    const std::vector<float> reversed_weights(weights.rbegin(), weights.rend());
    const Expected e = pool(pointers_to(inputs), weights, property_elements);
    const Vector one = caller.pool(inputs, weights, TK_FP32, property_elements);
    const Vector other = caller.pool(reversed, reversed_weights, TK_FP32, property_elements);
    Worst worst;
    worst.see(one.values, e);
    worst.see(other.values, e);
    expect(worst, name_of(type));
    EXPECT_NE(one.bits(), other.bits());  // else nothing was permuted
  }
}

// fma(0, x, 0) = 0, fma(1, x, 0) = x, fma(0, y, x) = x: every step is exact. (The sum starts from +0, which turns an
// input of -0 into +0; there is none here.) Stored in the input's own type, or in fp32, nothing rounds.
TEST_P(Property, OneHotWeightsReturnTheInput) {
  for (const tk_type type : all_types) {
    for (const Data data : all_data) {
      const std::vector<Vector> inputs = vectors(type, data, 70, property_elements, 22);
      for (const std::size_t hot : {0, 63, 64, 69}) {
        std::vector<float> weights(70, 0.0f);
        weights[hot] = 1.0f;
        EXPECT_EQ(caller.pool(inputs, weights, TK_FP32, property_elements).values, inputs[hot].values);
        if (type == TK_BF16) {
          EXPECT_EQ(caller.pool(inputs, weights, TK_BF16, property_elements).bits(), inputs[hot].bits());
        }
      }
    }
  }
}

// c is m x 2^e with an integer m of 24 bits. c/4 and c/2 are exact. 3c/4 is rounded where 3m has too many bits, by at
// most 1/2 of c's last place, and by 1/2 only for m = 2 mod 4; c/4 more is then c, or between c and its neighbour: at
// most half way, and half way only if m is even, to which ties go. So c comes back, whatever it is.
TEST_P(Property, WeightsThatSumToOneKeepAConstant) {
  std::vector<double> constants = numbers(Data::wide, property_elements, 23);
  for (std::size_t j = 0; j < 64; ++j) constants[j] = 1.5 + static_cast<double>(j) * 0x1p-23;  // all m mod 64
  for (const tk_type type : all_types) {
    const std::vector<Vector> four(4, Vector(type, constants)), three(3, Vector(type, constants));
    EXPECT_EQ(caller.pool(four, {0.25f, 0.25f, 0.25f, 0.25f}, TK_FP32, property_elements).values, four[0].values);
    EXPECT_EQ(caller.pool(three, {0.5f, 0.25f, 0.25f}, TK_FP32, property_elements).values, four[0].values);
    // 3 / 12 is 1/4, exactly.
    EXPECT_EQ(caller.pool(four, {3, 3, 3, 3}, TK_FP32, property_elements, true).values, four[0].values);
  }
}

// A power of two changes exponents and no significand, far from both ends of the range.
TEST_P(Property, PowersOfTwoScaleExactly) {
  const std::vector<float> weights = some_weights(8);
  for (const tk_type type : all_types) {
    std::vector<Vector> inputs, scaled;
    for (std::size_t i = 0; i < 8; ++i) {
      std::vector<double> x = numbers(Data::uniform, property_elements, 240 + i);
      inputs.emplace_back(type, x);
      for (double& value : x) value *= 1024;
      scaled.emplace_back(type, x);
    }
    for (const tk_type output : float_types) {
      std::vector<double> expected = caller.pool(inputs, weights, output, property_elements).values;
      for (double& value : expected) value *= 1024;
      EXPECT_EQ(caller.pool(scaled, weights, output, property_elements).values, expected) << name_of(type);
    }
  }
}

// "A segment's result does not depend on the others": one that shares a launch, one that fills it, one in two passes.
TEST_P(Property, SegmentsAreWhatTheyAreAlone) {
  const std::vector<std::size_t> first = {0, 5, 69, 139, 140, 142};
  const std::vector<float> weights = some_weights(142);
  for (const tk_type type : all_types) {
    const std::vector<Vector> inputs = vectors(type, Data::wide, 142, 4100, 25);
    for (const tk_type output : float_types) {
      const std::vector<Vector> together = caller.pool(inputs, first, weights, output, 4100, true);
      for (std::size_t s = 0; s + 1 < first.size(); ++s) {
        const auto from = static_cast<std::ptrdiff_t>(first[s]), to = static_cast<std::ptrdiff_t>(first[s + 1]);
        const Vector alone =
            caller.pool(std::vector<Vector>(inputs.begin() + from, inputs.begin() + to),
                        std::vector<float>(weights.begin() + from, weights.begin() + to), output, 4100, true);
        EXPECT_EQ(together[s].bits(), alone.bits()) << name_of(type) << ", segment " << s;
      }
    }
  }
}

// In place is the same arithmetic: the output replaces an input of the segment, first or last.
TEST_P(Property, PoolInPlaceIsPoolElsewhere) {
  const std::vector<float> weights = some_weights(3);
  const std::size_t first[] = {0, 3};
  for (const tk_type type : float_types) {
    const std::vector<Vector> inputs = vectors(type, Data::wide, 3, property_elements, 26);
    const Vector expected = caller.pool(inputs, weights, type, property_elements);
    for (const std::size_t place : {0, 2}) {
      std::vector<Vector> own = inputs;
      const std::vector<tk_vector> views = views_of(own);
      void* output = own[place].data();
      caller.run(tk_pool,
                 tk_pool_args{property_elements, type, type, 1, first, views.data(), weights.data(), 0, &output},
                 tk_pool_workspace);
      EXPECT_EQ(own[place].bits(), expected.bits());
      EXPECT_TRUE(own[place].untouched_behind(property_elements));
    }
  }
}

// More than 64 inputs go in passes, which may not show: acc = fma(a_i, G_i, acc) over all of them, from 0.
TEST_P(Property, PassesAreOneChainOfFma) {
  for (const std::size_t count : {64, 65, 70, 128, 129}) {
    for (const Data data : all_data) {
      const std::vector<Vector> inputs = vectors(TK_FP32, data, count, 4100, 27);
      const std::vector<float> weights = some_weights(count);
      std::vector<double> expected;
      for (std::size_t j = 0; j < 4100; ++j) {
        float acc = 0;
        for (std::size_t i = 0; i < count; ++i)
          acc = std::fma(weights[i], static_cast<float>(inputs[i].values[j]), acc);
        expected.push_back(static_cast<double>(acc));
      }
      EXPECT_EQ(caller.pool(inputs, weights, TK_FP32, 4100).values, expected) << count << " inputs, " << name_of(data);
    }
  }
}

// The header's words: fma(beta, local, (1 - beta) x global), 1 - beta and its product rounded to fp32.
TEST_P(Property, CorrectIsOneProductAndOneFma) {
  const std::vector<Vector> two = vectors(TK_FP32, Data::wide, 2, property_elements, 28);
  for (const float beta : {0.0f, 0.1f, 0.3f, 0.9f, 1.0f}) {
    const float rest = 1.0f - beta;
    std::vector<double> expected;
    for (std::size_t j = 0; j < property_elements; ++j) {
      const float product = rest * static_cast<float>(two[1].values[j]);
      expected.push_back(static_cast<double>(std::fma(beta, static_cast<float>(two[0].values[j]), product)));
    }
    Vector result(TK_FP32, property_elements);
    caller.run(tk_correct,
               tk_correct_args{property_elements, TK_FP32, TK_FP32, two[0].view(), two[1].view(), beta, result.data()});
    result.refresh();
    EXPECT_EQ(result.values, expected) << beta;
  }
}

// "The estimate that pool would make (fp32 output), never stored": comparing what pool stores adds the same numbers in
// the same order. The truth is widened to fp32, exactly, since compare takes one type.
TEST_P(Property, PoolMetricsAreCompareOfPool) {
  for (const tk_type type : all_types) {
    for (const std::size_t count : {1, 7, 64}) {
      const std::vector<Vector> inputs = vectors(type, Data::wide, count, property_elements, 29);
      const Vector truth(type, numbers(Data::wide, property_elements, 290));
      const std::vector<float> weights = some_weights(count);
      const Vector estimate = caller.pool(inputs, weights, TK_FP32, property_elements, true);
      const tk_metrics_sums stored = caller.compare(estimate, Vector(TK_FP32, truth.values), property_elements);
      const tk_metrics_sums fused = caller.pool_metrics(inputs, weights, truth, property_elements, true);
      EXPECT_TRUE(same_bits(fused.dot, stored.dot)) << name_of(type) << ", " << count << " inputs";
      EXPECT_TRUE(same_bits(fused.estimate_square, stored.estimate_square));
      EXPECT_TRUE(same_bits(fused.truth_square, stored.truth_square));
      EXPECT_TRUE(same_bits(fused.error_square, stored.error_square));
    }
  }
}

// Sums over elements have one shape, whoever asks: gram's pairs are compare's dot and squares, and the root of the
// square is clip's norm. x y = y x, so that an order of inputs permutes the pairs and nothing else.
TEST_P(Property, GramIsCompareInAnyOrder) {
  for (const tk_type type : all_types) {
    const std::vector<Vector> inputs = vectors(type, Data::wide, 7, property_elements, 30);
    const std::vector<tk_vector> views = views_of(inputs);
    const std::vector<double> gram = caller.gram(views, type, property_elements);
    const std::size_t order[] = {3, 6, 0, 5, 1, 4, 2};
    std::vector<tk_vector> permuted;
    for (const std::size_t i : order) permuted.push_back(views[i]);
    const std::vector<double> other = caller.gram(permuted, type, property_elements);
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const tk_metrics_sums sums = caller.compare(inputs[i], inputs[j], property_elements);
        EXPECT_TRUE(same_bits(gram[i * (i + 1) / 2 + j], sums.dot)) << name_of(type) << ", pair " << i << ", " << j;
        const std::size_t a = std::max(order[i], order[j]), b = std::min(order[i], order[j]);
        EXPECT_TRUE(same_bits(other[i * (i + 1) / 2 + j], gram[a * (a + 1) / 2 + b])) << "pair " << i << ", " << j;
      }
      const double square = gram[i * (i + 1) / 2 + i];
      EXPECT_TRUE(same_bits(square, caller.compare(inputs[i], inputs[i], property_elements).estimate_square));
      if (type == TK_INT8) continue;
      Vector clipped = inputs[i];
      EXPECT_TRUE(same_bits(caller.clip(clipped, property_elements, 1, false), std::sqrt(square)));
    }
  }
}

// min(1, limit / norm) is 1 at the limit and below, and 1 x is x.
TEST_P(Property, ClipLeavesWhatIsBelowTheLimit) {
  for (const tk_type type : float_types) {
    for (const Data data : all_data) {
      const Vector original(type, numbers(data, property_elements, 31));
      Vector v = original;
      const double norm = caller.clip(v, property_elements, 1e30, false);
      EXPECT_EQ(v.bits(), original.bits());
      if (norm == 0) continue;
      caller.clip(v, property_elements, norm, false);  // exactly at the limit
      EXPECT_EQ(v.bits(), original.bits());
      caller.clip(v, property_elements, norm, true);  // norm / norm = 1
      EXPECT_EQ(v.bits(), original.bits());
    }
    Vector zeros(type, std::vector<double>(300, 0.0));
    const std::vector<unsigned char> before = zeros.bits();
    EXPECT_EQ(caller.clip(zeros, 300, 1, true), 0);
    EXPECT_EQ(zeros.bits(), before);
  }
}

// The nearest of levels that are a scale apart: half a scale away, and what rounds on the way. The quotient, at most
// 127, is rounded once (127 units of a scale), and q x scale once when it is read back (127 more).
TEST_P(Property, QuantisedIsWithinHalfAScale) {
  for (const tk_type type : float_types) {
    for (const Data data : {Data::uniform, Data::wide}) {
      const Vector input(type, numbers(data, property_elements, 32));
      const Vector back = caller.dequantise(caller.quantise(input, property_elements), TK_FP32, property_elements);
      Worst worst;
      for (std::size_t j = 0; j < property_elements; ++j) {
        double most = 0;
        for (std::size_t i = j / 128 * 128; i < std::min(j / 128 * 128 + 128, property_elements); ++i)
          most = std::max(most, std::fabs(input.values[i]));
        worst.see(back.values[j], input.values[j], most / 127 * (1 + unit) * (0.5 + 254 * unit), j);
      }
      expect(worst, std::string(name_of(type)) + " " + name_of(data));
    }
  }
}

// What reads back from int8 goes to the same int8: 127 x scale / 127 is the scale again where the scale has bits to
// spare (a power of two), and each quotient is an integer.
TEST_P(Property, QuantisingTwiceChangesNothing) {
  std::vector<double> x(property_elements);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = 0.25 * (static_cast<double>(j * 37 % 255) - 127);
  x[127] = x[0] = 0.25 * 127;
  for (std::size_t j = 0; j < x.size(); j += 128) x[j] = 0.25 * 127;  // each block's scale is 1/4
  const Vector input(TK_FP32, x);
  const Vector q = caller.quantise(input, property_elements);
  for (std::size_t b = 0; b < blocks(property_elements); ++b) ASSERT_EQ(q.scales[b], 0.25f);
  EXPECT_EQ(caller.dequantise(q, TK_FP32, property_elements).values, x);
}

// The sketch of a sum is the sum of the sketches. Integers below 2^10 add exactly in fp32 (9000 of them stay below
// 2^24): to the bit. Other numbers: x + y is rounded once, the three sketches each within the oracle's bound.
TEST_P(Property, SketchIsLinear) {
  for (const std::size_t width : {64, 1024}) {
    std::vector<double> x = numbers(Data::uniform, property_elements, 34),
                        y = numbers(Data::uniform, property_elements, 35);
    for (const bool exact : {true, false}) {
      std::vector<double> sum(property_elements);
      for (std::size_t j = 0; j < property_elements; ++j) {
        if (exact) x[j] = std::floor(1000 * x[j]), y[j] = std::floor(1000 * y[j]);
        sum[j] = x[j] + y[j];
      }
      const Vector vx(TK_FP32, x), vy(TK_FP32, y), vz(TK_FP32, sum);
      const std::vector<double> sx = caller.sketch(vx, property_elements, width, 5);
      const std::vector<double> sy = caller.sketch(vy, property_elements, width, 5);
      const std::vector<double> sz = caller.sketch(vz, property_elements, width, 5);
      const Expected ex = sketch(vx, property_elements, width, 5), ey = sketch(vy, property_elements, width, 5);
      Expected ez = sketch(vz, property_elements, width, 5);
      double sum_size = 0;
      for (const double value : sum) sum_size += std::fabs(value);
      Worst worst;
      for (std::size_t b = 0; b < width; ++b)
        worst.see(sz[b], sx[b] + sy[b], exact ? 0 : ex.bound[b] + ey.bound[b] + ez.bound[b] + unit * sum_size, b);
      expect(worst, exact ? "integers" : "fractions");
      x = numbers(Data::uniform, property_elements, 36);
      y = numbers(Data::uniform, property_elements, 37);
    }
  }
}

// Two elements meet in a bucket with probability 1/w, with independent signs, so the estimate of x.y for unit vectors
// of cosine c has the variance (1 + c^2) / w at most; dividing by the estimated norms takes away what they share with
// it and leaves (1 - c^2)^2 / w to first order: an rms below 1 / sqrt(w). c is drawn from 0 to 0.9, where the mean of
// (1 - c^2)^2 is 0.59: rms 0.77 / sqrt(w), and a mean of 200 squares is off by a tenth, so that 1.1 is six sigma away.
// Below 0.55 / sqrt(w), half of that variance, five sigma down, the sketch would know more than it can.
TEST_P(Property, SketchEstimatesTheCosine) {
  constexpr std::size_t elements = 5000;
  for (const std::size_t width : {64, 256, 1024}) {
    Numbers draw(38);
    double squares = 0;
    for (std::uint64_t pair = 0; pair < 200; ++pair) {
      const double c = draw.between(0, 0.9), s = std::sqrt(1 - c * c);
      std::vector<double> x, y;
      for (std::size_t j = 0; j < elements; ++j) {
        x.push_back(draw.normal());
        y.push_back(c * x.back() + s * draw.normal());
      }
      const Vector vx(TK_FP32, x), vy(TK_FP32, y);
      const auto cosine = [](const std::vector<double>& a, const std::vector<double>& b) {
        const auto dot = [](const auto& u, const auto& v) {
          return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
        };
        return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
      };
      const double error =
          cosine(caller.sketch(vx, elements, width, pair), caller.sketch(vy, elements, width, pair)) - cosine(x, y);
      squares += error * error;
    }
    const double rms = std::sqrt(squares / 200), scale = 1 / std::sqrt(static_cast<double>(width));
    RecordProperty("rms_times_root_width_" + std::to_string(width), std::to_string(rms / scale));
    EXPECT_LE(rms, 1.1 * scale) << width;
    EXPECT_GE(rms, 0.55 * scale) << width;
  }
}

}  // namespace
}  // namespace toposim::kernels::oracle
