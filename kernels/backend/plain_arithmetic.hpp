#pragma once
#include <xmmintrin.h>

namespace toposim::kernels {

/// Round to nearest, no flush-to-zero, no exceptions while it lives: the same arithmetic whatever the calling program
/// set. Of the thread that makes it.
class PlainArithmetic {
 public:
  __attribute__((always_inline)) PlainArithmetic() : before_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  __attribute__((always_inline)) ~PlainArithmetic() { _mm_setcsr(before_); }
  PlainArithmetic(const PlainArithmetic&) = delete;
  PlainArithmetic& operator=(const PlainArithmetic&) = delete;

 private:
  unsigned before_;
};

}  // namespace toposim::kernels
