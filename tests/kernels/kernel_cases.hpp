#pragma once
// Every kernel at every size around a boundary on every kind of input, as cases with a name and a hash of all that they
// write. An engine E says where they run: put(bytes) and get(bytes) move data to and from memory its kernels can use,
// run(args) runs an operation. No test framework here, so that a program on a GPU machine can use it too.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/topokernels.h"

namespace toposim::kernels::test {

enum class Op {
  pool,
  segments,
  scale,
  correct,
  compare,
  pool_metrics,
  gram,
  sketch,
  clip,
  normalise,
  quantise,
  dequantise
};
enum class Data { uniform, wide, subnormal, special };

struct Case {
  Op op;
  tk_type input, output;
  std::size_t count;  ///< inputs, or the width of a sketch
  std::size_t elements;
  Data data;
};

inline const char* name_of(Op op) {
  constexpr const char* names[] = {"pool", "segments", "scale", "correct",   "compare",  "pool_metrics",
                                   "gram", "sketch",   "clip",  "normalise", "quantise", "dequantise"};
  return names[static_cast<int>(op)];
}
inline const char* name_of(Data data) {
  constexpr const char* names[] = {"uniform", "wide", "subnormal", "special"};
  return names[static_cast<int>(data)];
}
inline const char* name_of(tk_type type) {
  return type == TK_FP32 ? "fp32" : type == TK_BF16 ? "bf16" : "int8";
}
inline std::string name_of(const Case& c) {
  return std::string(name_of(c.op)) + " " + name_of(c.input) + " " + name_of(c.output) +
         " count=" + std::to_string(c.count) + " elements=" + std::to_string(c.elements) + " " + name_of(c.data);
}

/// splitmix64: the same numbers everywhere.
class Bits {
 public:
  explicit Bits(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

inline std::uint32_t word_of(Data data, std::uint64_t r) {
  const auto sign = static_cast<std::uint32_t>(r >> 63) << 31, fraction = static_cast<std::uint32_t>(r) & 0x7fffffu;
  const auto pick = static_cast<std::uint32_t>(r >> 32) & 0xffffu;
  switch (data) {
    case Data::uniform: {  // k / 2^23, -1 to 1
      const float x = static_cast<float>(fraction) * 0x1p-23f;
      std::uint32_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      return sign | bits;
    }
    case Data::wide:  // exponents -60 to 60
      return sign | ((127 - 60 + pick % 121) << 23) | fraction;
    case Data::subnormal:
      return sign | fraction;
    case Data::special:
      break;
  }
  constexpr std::uint32_t specials[] = {0x7f800000u, 0x7fc00001u, 0u, 0x7f7fffffu, 1u, 0x00800000u};
  if (pick % 97 == 0) return sign | specials[(pick / 97) % 6];
  return sign | 0x3f000000u | fraction;  // 0.5 to 1
}

/// Vector `number` of a case, in the memory of the engine.
template <class E>
tk_vector make_vector(E& engine, const Case& c, tk_type type, std::uint64_t number) {
  Bits bits(1000 * number + 7);
  const std::size_t n = c.elements;
  tk_vector v{};
  if (type == TK_FP32) {
    std::vector<std::uint32_t> words(n);
    for (auto& w : words) w = word_of(c.data, bits.next());
    v.data = engine.put(words.data(), 4 * n);
  } else if (type == TK_BF16) {
    std::vector<std::uint16_t> halves(n);
    for (auto& h : halves) h = static_cast<std::uint16_t>(word_of(c.data, bits.next()) >> 16);
    v.data = engine.put(halves.data(), 2 * n);
  } else {
    std::vector<std::int8_t> q(n);
    for (auto& x : q) x = static_cast<std::int8_t>(static_cast<int>(bits.next() % 255) - 127);
    std::vector<std::uint32_t> scales((n + 127) / 128);
    for (auto& s : scales) s = word_of(c.data, bits.next()) & 0x7fffffffu;
    v.data = engine.put(q.data(), n);
    v.scales = static_cast<const float*>(engine.put(scales.data(), 4 * scales.size()));
  }
  return v;
}

/// FNV-1a 64 over numbers, every NaN the same.
class Hash {
 public:
  void word(std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      value_ ^= (value >> (8 * byte)) & 0xff;
      value_ *= 0x100000001b3ull;
    }
  }
  void add(const std::vector<float>& numbers) {
    for (const float x : numbers) {
      std::uint32_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      word(x != x ? 0x7fc00000u : bits);
    }
  }
  void add(const std::vector<double>& numbers) {
    for (const double x : numbers) {
      std::uint64_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      word(x != x ? 0x7ff8000000000000ull : bits);
    }
  }
  void add(const std::vector<std::uint16_t>& numbers) {
    for (const auto x : numbers) word(x);
  }
  void add(const std::vector<std::int8_t>& numbers) {
    for (const auto x : numbers) word(static_cast<std::uint8_t>(x));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

template <class T, class E>
std::vector<T> fetched(E& engine, const void* data, std::size_t count) {
  std::vector<T> host(count);
  engine.get(host.data(), data, count * sizeof(T));
  return host;
}

/// Room for a result, filled with a pattern that no kernel leaves.
template <class E>
void* make_room(E& engine, std::size_t bytes) {
  const std::vector<unsigned char> pattern(bytes, 0xa5);
  return engine.put(pattern.data(), bytes);
}
template <class E>
void* make_result(E& engine, std::size_t bytes) {
  const std::vector<unsigned char> pattern(bytes, 0xa5);
  return engine.put_result(pattern.data(), bytes);
}

template <class E>
void hash_output(E& engine, Hash& hash, const void* data, tk_type type, std::size_t count) {
  if (type == TK_FP32)
    hash.add(fetched<float>(engine, data, count));
  else
    hash.add(fetched<std::uint16_t>(engine, data, count));
}

inline std::vector<float> weights_of(std::size_t count) {
  std::vector<float> weights;
  for (std::size_t i = 0; i < count; ++i) weights.push_back(0.75f - 0.3f * static_cast<float>(i % 5));
  return weights;
}

/// The hash of all that a case writes; the engine is left empty.
template <class E>
std::uint64_t hash_of(E& engine, const Case& c) {
  Hash hash;
  const std::size_t n = c.elements;
  const std::size_t inputs = c.op == Op::pool || c.op == Op::segments || c.op == Op::pool_metrics || c.op == Op::gram
                                 ? c.count
                             : c.op == Op::compare || c.op == Op::correct ? 2
                                                                          : 1;
  std::vector<tk_vector> vectors;
  for (std::size_t i = 0; i < inputs; ++i) vectors.push_back(make_vector(engine, c, c.input, i));
  const std::size_t output_bytes = n * (c.output == TK_FP32 ? 4 : 2);
  const std::vector<float> weights = weights_of(inputs);
  auto* sums = static_cast<tk_metrics_sums*>(nullptr);
  const auto hash_sums = [&] { hash.add(fetched<double>(engine, sums, 4)); };
  switch (c.op) {
    case Op::pool:
    case Op::segments: {
      // Segments of 1, 2, 3, ... inputs and one of the rest.
      std::vector<std::size_t> first{0};
      if (c.op == Op::segments)
        for (std::size_t size = 1; first.back() + size < inputs; ++size) first.push_back(first.back() + size);
      first.push_back(inputs);
      std::vector<void*> outputs;
      for (std::size_t s = 0; s + 1 < first.size(); ++s) outputs.push_back(make_room(engine, output_bytes));
      engine.run(tk_pool_args{n, c.input, c.output, outputs.size(), first.data(), vectors.data(), weights.data(), 0,
                              outputs.data()});
      for (const void* output : outputs) hash_output(engine, hash, output, c.output, n);
      break;
    }
    case Op::scale:
      engine.run(tk_scale_args{n, c.input, const_cast<void*>(vectors[0].data), -0.7f});
      hash_output(engine, hash, vectors[0].data, c.input, n);
      break;
    case Op::correct: {
      void* output = make_room(engine, output_bytes);
      engine.run(tk_correct_args{n, c.input, c.output, vectors[0], vectors[1], 0.3f, output});
      hash_output(engine, hash, output, c.output, n);
      break;
    }
    case Op::compare:
      sums = static_cast<tk_metrics_sums*>(make_result(engine, sizeof *sums));
      engine.run(tk_metrics_args{n, c.input, vectors[0], vectors[1], sums});
      hash_sums();
      break;
    case Op::pool_metrics:
      sums = static_cast<tk_metrics_sums*>(make_result(engine, sizeof *sums));
      engine.run(tk_pool_metrics_args{n, c.input, inputs, vectors.data(), weights.data(), 0,
                                      make_vector(engine, c, c.input, 99), sums});
      hash_sums();
      break;
    case Op::gram: {
      const std::size_t pairs = inputs * (inputs + 1) / 2;
      auto* result = static_cast<double*>(make_result(engine, 8 * pairs));
      engine.run(tk_gram_args{n, c.input, inputs, vectors.data(), result});
      hash.add(fetched<double>(engine, result, pairs));
      break;
    }
    case Op::sketch: {
      auto* result = static_cast<float*>(make_room(engine, 4 * c.count));
      engine.run(tk_sketch_args{n, c.input, vectors[0], c.count, 42, result});
      hash.add(fetched<float>(engine, result, c.count));
      break;
    }
    case Op::clip:
    case Op::normalise: {
      auto* norm = static_cast<double*>(make_result(engine, 8));
      engine.run(tk_clip_args{n, c.input, const_cast<void*>(vectors[0].data), 0.5, c.op == Op::normalise, norm});
      hash_output(engine, hash, vectors[0].data, c.input, n);
      hash.add(fetched<double>(engine, norm, 1));
      break;
    }
    case Op::quantise: {
      auto* q = static_cast<std::int8_t*>(make_room(engine, n));
      auto* scales = static_cast<float*>(make_room(engine, 4 * ((n + 127) / 128)));
      engine.run(tk_quantise_args{n, c.input, vectors[0].data, q, scales});
      hash.add(fetched<std::int8_t>(engine, q, n));
      hash.add(fetched<float>(engine, scales, (n + 127) / 128));
      break;
    }
    case Op::dequantise: {
      void* output = make_room(engine, output_bytes);
      engine.run(tk_dequantise_args{n, vectors[0], c.output, output});
      hash_output(engine, hash, output, c.output, n);
      break;
    }
  }
  engine.clear();
  return hash.value();
}

inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const std::size_t sizes[] = {1, 127, 128, 129, 4095, 4096, 4097, 8321};
  const Data kinds[] = {Data::uniform, Data::wide, Data::subnormal, Data::special};
  const tk_type inputs[] = {TK_FP32, TK_BF16, TK_INT8}, floats[] = {TK_FP32, TK_BF16};
  const auto add = [&](Op op, tk_type in, tk_type out, std::size_t count, std::size_t n) {
    for (const Data data : kinds) cases.push_back({op, in, out, count, n, data});
  };
  for (const std::size_t n : sizes) {
    for (const tk_type in : inputs) {
      for (const tk_type out : floats) {
        for (const std::size_t count : {1, 3, 16}) add(Op::pool, in, out, count, n);
        add(Op::correct, in, out, 2, n);
      }
      add(Op::compare, in, TK_FP32, 2, n);
      for (const std::size_t count : {1, 8}) add(Op::pool_metrics, in, TK_FP32, count, n);
      for (const std::size_t count : {1, 2, 5, 16}) add(Op::gram, in, TK_FP32, count, n);
      for (const std::size_t width : {64, 192, 1024}) add(Op::sketch, in, TK_FP32, width, n);
    }
    for (const tk_type type : floats) {
      add(Op::scale, type, type, 1, n);
      add(Op::clip, type, type, 1, n);
      add(Op::normalise, type, type, 1, n);
      add(Op::quantise, type, type, 1, n);
      add(Op::dequantise, TK_INT8, type, 1, n);
    }
  }
  for (const tk_type in : inputs)
    for (const tk_type out : floats) {
      add(Op::pool, in, out, 65, 4097);  // two passes
      add(Op::pool, in, out, 130, 129);
      add(Op::segments, in, out, 20, 4097);
      add(Op::segments, in, out, 150, 300);
    }
  for (const tk_type in : inputs) {
    add(Op::gram, in, TK_FP32, 64, 4097);
    add(Op::sketch, in, TK_FP32, 4096, (1u << 18) + 129);  // two blocks
    add(Op::sketch, in, TK_FP32, 64, (1u << 19) - 1);
  }
  // More than 4096 strips: a third level of sums. Uniform only, they are large.
  for (const tk_type in : inputs) cases.push_back({Op::compare, in, TK_FP32, 2, (1u << 24) + 4097, Data::uniform});
  cases.push_back({Op::clip, TK_FP32, TK_FP32, 1, (1u << 24) + 1, Data::uniform});
  return cases;
}

}  // namespace toposim::kernels::test
