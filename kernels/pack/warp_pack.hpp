#pragma once
// The pack of slots on a warp: all 128, four neighbours per lane (slot = 4 lane + c), so that a lane loads 16 bytes.
//
// L says what a lane is: DeviceLanes (a thread's registers and shuffles) or EmulatedLanes (arrays of 32, on the host).
// It gives per-lane storage and little else, so that what is compiled for the GPU is what tests run on a CPU.
#include "kernels/body/element.hpp"

namespace toposim::kernels {

// Arithmetic on one number, said explicitly: nothing here may be contracted or approximated.
#ifdef __CUDA_ARCH__
TK_FN float fma_rn(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
TK_FN float add_rn(float a, float b) {
  return __fadd_rn(a, b);
}
TK_FN float mul_rn(float a, float b) {
  return __fmul_rn(a, b);
}
TK_FN float div_rn(float a, float b) {
  return __fdiv_rn(a, b);
}
#else
TK_FN float fma_rn(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
TK_FN float add_rn(float a, float b) {
  return a + b;
}
TK_FN float mul_rn(float a, float b) {
  return a * b;
}
TK_FN float div_rn(float a, float b) {
  return a / b;
}
#endif

/// Four neighbours at once where the address allows it.
template <class T>
TK_FN void load_four(const T* from, float scale, float* to) {
#ifdef __CUDA_ARCH__
  struct alignas(4 * sizeof(T)) Four {
    T t[4];
  };
  if (reinterpret_cast<std::uintptr_t>(from) % sizeof(Four) == 0) {
    const Four four = *reinterpret_cast<const Four*>(from);
    for (int c = 0; c < 4; ++c) to[c] = widened(four.t[c], scale);
    return;
  }
#endif
  for (int c = 0; c < 4; ++c) to[c] = widened(from[c], scale);
}
template <class T>
TK_FN void store_four(T* to, const float* from) {
#ifdef __CUDA_ARCH__
  struct alignas(4 * sizeof(T)) Four {
    T t[4];
  };
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(Four) == 0) {
    Four four;
    for (int c = 0; c < 4; ++c) narrow_to(&four.t[c], from[c]);
    *reinterpret_cast<Four*>(to) = four;
    return;
  }
#endif
  for (int c = 0; c < 4; ++c) narrow_to(to + c, from[c]);
}

/// v[s] + v[s + 64], + v[s + 32], ...: lanes 16 apart, then 8, 4, 2, 1, then the four of a lane. The same in all lanes.
template <class L, class Lane, class Add>
TK_FN void warp_tree(Lane* v, const Add& add) {
  for (int apart = 16; apart >= 1; apart /= 2)
    for (int c = 0; c < 4; ++c) {
      const Lane other = L::from_lane_xor(v[c], apart);
      L::each_lane([&](int lane) { L::at(v[c], lane) = add(L::at(v[c], lane), L::at(other, lane)); });
    }
  L::each_lane([&](int lane) {
    L::at(v[0], lane) = add(add(L::at(v[0], lane), L::at(v[2], lane)), add(L::at(v[1], lane), L::at(v[3], lane)));
  });
}

template <class L>
struct WarpPack {
  static constexpr int width = row_slots;
  using Lane = typename L::Float;
  Lane v[4];

  struct Slots {
    Lane v[4];
    TK_FN void put(int, const WarpPack& pack) {
      for (int c = 0; c < 4; ++c) v[c] = pack.v[c];
    }
    template <class P>
    TK_FN P get(int) const {
      P pack;
      for (int c = 0; c < 4; ++c) pack.v[c] = v[c];
      return pack;
    }
    TK_FN float tree() {
      warp_tree<L>(v, [](float a, float b) { return add_rn(a, b); });
      return L::any(v[0]);
    }
  };

  TK_FN static WarpPack splat(float x) {
    WarpPack p;
    L::each_lane([&](int lane) {
      for (int c = 0; c < 4; ++c) L::at(p.v[c], lane) = x;
    });
    return p;
  }
  template <class T>
  TK_FN static WarpPack load(const Source<T>& source, const WholePlace& at) {
    WarpPack p;
    const float scale = scale_of(source, at.row);
    L::each_lane([&](int lane) {
      float x[4];
      load_four(source.data + at.index() + 4 * lane, scale, x);
      for (int c = 0; c < 4; ++c) L::at(p.v[c], lane) = x[c];
    });
    return p;
  }
  /// Elements beyond the last are +0.
  template <class T>
  TK_FN static WarpPack load(const Source<T>& source, const Place& at) {
    WarpPack p;
    const float scale = at.valid > 0 ? scale_of(source, at.row) : 0.0f;
    L::each_lane([&](int lane) {
      for (int c = 0; c < 4; ++c) {
        const int i = 4 * lane + c;
        L::at(p.v[c], lane) =
            i < at.valid ? widened(source.data[at.index() + static_cast<std::size_t>(i)], scale) : 0.0f;
      }
    });
    return p;
  }
  template <class T>
  TK_FN void store(T* to, const WholePlace& at) const {
    L::each_lane([&](int lane) {
      float x[4];
      for (int c = 0; c < 4; ++c) x[c] = L::at(v[c], lane);
      store_four(to + at.index() + 4 * lane, x);
    });
  }
  template <class T>
  TK_FN void store(T* to, const Place& at) const {
    L::each_lane([&](int lane) {
      for (int c = 0; c < 4; ++c)
        if (4 * lane + c < at.valid) narrow_to(to + at.index() + 4 * lane + c, L::at(v[c], lane));
    });
  }

  TK_FN friend WarpPack fma(const WarpPack& a, const WarpPack& b, const WarpPack& c) {
    return each([&](int i, int lane) { return fma_rn(L::at(a.v[i], lane), L::at(b.v[i], lane), L::at(c.v[i], lane)); });
  }
  TK_FN friend WarpPack operator-(const WarpPack& a, const WarpPack& b) {
    return each([&](int i, int lane) { return add_rn(L::at(a.v[i], lane), -L::at(b.v[i], lane)); });
  }
  TK_FN friend WarpPack operator*(const WarpPack& a, const WarpPack& b) {
    return each([&](int i, int lane) { return mul_rn(L::at(a.v[i], lane), L::at(b.v[i], lane)); });
  }

  /// As CpuPack's.
  TK_FN std::uint32_t max_magnitude_bits() const {
    typename L::Word most;
    L::each_lane([&](int lane) {
      std::uint32_t m = 0;
      for (int c = 0; c < 4; ++c) {
        const std::uint32_t bits = bits_of(L::at(v[c], lane)) & ~sign_bit;
        m = bits > m ? bits : m;
      }
      L::at(most, lane) = m;
    });
    for (int apart = 16; apart >= 1; apart /= 2) {
      const auto other = L::from_lane_xor(most, apart);
      L::each_lane([&](int lane) {
        if (L::at(other, lane) > L::at(most, lane)) L::at(most, lane) = L::at(other, lane);
      });
    }
    return L::any(most);
  }
  TK_FN void quantise(Int8* to, const WholePlace& at, float scale) const {
    quantise(to, Place{at.row, at.slot, width}, scale);
  }
  TK_FN void quantise(Int8* to, const Place& at, float scale) const {
    constexpr float shift = 12582912.0f;  // 1.5 x 2^23: adding it leaves no fraction bits
    Int8* first = to + at.index();
    L::each_lane([&](int lane) {
      for (int c = 0; c < 4; ++c) {
        if (4 * lane + c >= at.valid) continue;
        const float q = add_rn(add_rn(div_rn(L::at(v[c], lane), scale), shift), -shift);
        first[4 * lane + c].q = static_cast<std::int8_t>(q > 127.0f ? 127.0f : q < -127.0f ? -127.0f : q);
      }
    });
  }
  TK_FN void scatter_half(float* table, int half, std::uint32_t mask, std::uint64_t signs) const {
    L::each_lane([&](int lane) {
      if (lane / 16 != half) return;
      for (int c = 0; c < 4; ++c) {
        const auto slot = static_cast<std::uint32_t>((4 * lane + c) & 63);
        const float x = L::at(v[c], lane);
        float& to = table[slot ^ mask];
        to = add_rn(to, (signs >> slot) & 1 ? -x : x);
      }
    });
    L::sync();
  }

 private:
  template <class Body>
  TK_FN static WarpPack each(const Body& body) {
    WarpPack r;
    L::each_lane([&](int lane) {
      for (int i = 0; i < 4; ++i) L::at(r.v[i], lane) = body(i, lane);
    });
    return r;
  }
};

template <class L>
struct WarpDoubles {
  typename L::Double v[4];
  TK_FN WarpDoubles() {
    L::each_lane([&](int lane) {
      for (int c = 0; c < 4; ++c) L::at(v[c], lane) = 0.0;
    });
  }
  template <class T>
  TK_FN void add(const T* from, int valid) {
    L::each_lane([&](int lane) {
      for (int c = 0; c < 4; ++c)
        L::at(v[c], lane) += 4 * lane + c < valid ? static_cast<double>(from[4 * lane + c]) : 0.0;
    });
  }
  TK_FN double tree() {
    warp_tree<L>(v, [](double a, double b) { return a + b; });
    return L::any(v[0]);
  }
};

/// A warp holds whole rows: a panel is the inputs themselves.
template <class L, class T>
class WarpPanel {
 public:
  TK_FN WarpPanel(const Source<T>*, int count, std::size_t, const RowRange&) : count_(count) {}
  /// Input `first + i`; beyond the last, the first.
  template <class At>
  TK_FN WarpPack<L> load(const Source<T>* inputs, int first, int i, const At& at) const {
    return WarpPack<L>::load(inputs[first + i < count_ ? first + i : first], at);
  }

 private:
  int count_;
};

/// ... and a pair has all its slots at once.
template <class L>
struct WarpPairSums {
  TK_FN void add(int, int, int, const WarpPack<L>& sum, float* to) {
    typename WarpPack<L>::Slots slots;
    slots.put(0, sum);
    const float total = slots.tree();
    L::one_lane([&] { *to = total; });
  }
  TK_FN void finish(int, int, float*) {}
};

/// The pack family of a warp.
template <class L>
struct Warp {
  template <int>
  using Pack = WarpPack<L>;
  using Row = WarpPack<L>;
  using Doubles = WarpDoubles<L>;
  template <class T>
  using Panel = WarpPanel<L, T>;
  using PairSums = WarpPairSums<L>;
  static constexpr int gram_block = 64, gram_rows = 4, gram_columns = 2;

  /// A warp has as many streams as inputs: nothing waits.
  static constexpr int pool_streams = 1 << 20;
  struct Near {
    template <class P, class At>
    TK_FN P load(const At&) const {
      return P::splat(0.0f);
    }
    template <class P, class At>
    TK_FN void store(const P&, const At&) {}
  };
  template <class T>
  TK_FN static void read_ahead(const Source<T>&, std::size_t, std::size_t) {}

  template <class T>
  TK_FN static void put(T* to, T value) {
    L::one_lane([&] { *to = value; });
  }
  template <class Body>
  TK_FN static void for_each_index(int count, const Body& body) {
    L::each_lane([&](int lane) {
      for (int i = lane; i < count; i += 32) body(i);
    });
  }
  TK_FN static void zero(float* table, int count) {
    for_each_index(count, [&](int i) { table[i] = 0.0f; });
    L::sync();
  }
};

}  // namespace toposim::kernels
