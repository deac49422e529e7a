#pragma once
// A warp's lanes as data, on the host: shuffles are reads of another element.
#include "kernels/body/shape.hpp"

namespace toposim::kernels {

struct EmulatedLanes {
  template <class T>
  struct Lanes {
    T t[32];
  };
  using Float = Lanes<float>;
  using Word = Lanes<std::uint32_t>;
  using Double = Lanes<double>;

  template <class T>
  TK_FN static T& at(Lanes<T>& lanes, int lane) {
    return lanes.t[lane];
  }
  template <class T>
  TK_FN static const T& at(const Lanes<T>& lanes, int lane) {
    return lanes.t[lane];
  }
  /// A value that is the same in all lanes.
  template <class T>
  TK_FN static T any(const Lanes<T>& lanes) {
    return lanes.t[0];
  }
  template <class Body>
  TK_FN static void each_lane(const Body& body) {
    for (int lane = 0; lane < 32; ++lane) body(lane);
  }
  template <class Body>
  TK_FN static void one_lane(const Body& body) {
    body();
  }
  template <class T>
  TK_FN static Lanes<T> from_lane_xor(const Lanes<T>& lanes, int mask) {
    Lanes<T> r;
    for (int lane = 0; lane < 32; ++lane) r.t[lane] = lanes.t[lane ^ mask];
    return r;
  }
  TK_FN static void sync() {}
};

}  // namespace toposim::kernels
