#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace toposim::workloads {

/// Zeroed numbers that start on a cache line.
template <class Scalar>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : size_(size), data_(static_cast<Scalar*>(::operator new(size * sizeof(Scalar) + 1, alignment))) {
    std::memset(static_cast<void*>(data_.get()), 0, size * sizeof(Scalar));
  }

  Scalar* data() { return data_.get(); }
  const Scalar* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  Scalar* begin() { return data(); }
  Scalar* end() { return data() + size_; }
  Scalar& operator[](std::size_t i) { return data_.get()[i]; }
  const Scalar& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(Scalar* p) const { ::operator delete(p, alignment); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<Scalar, Free> data_;
};

}  // namespace toposim::workloads
