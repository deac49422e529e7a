#pragma once
// n samples as vectors of d numbers: in memory, or in a .npy file of which rows are read as they are asked for, so that
// a file may be far larger than memory. Rows are read by pread rather than through a mapping: a file that shrinks while
// it is read gives an error instead of a signal, and its pages do not count as the program's memory.
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace toposim::topology {

enum class ElementType : std::uint8_t { fp32, fp16 };

/// Sizes beyond these are refused.
inline constexpr std::uint64_t embedding_rows_max = 0xffff'fffe, embedding_dims_max = 65'536;

class Embeddings {
 public:
  /// Row-major; the numbers are not copied and must outlive the view. Throws TopologyError where values.size() is not
  /// rows x dims or a size is 0 or too large.
  static Embeddings in_memory(std::span<const float> values, std::uint64_t rows, std::uint64_t dims);

  /// A .npy file, format 1.0 to 3.0, '<f4' or '<f2', C order, two dimensions. Throws TopologyError with file, byte
  /// offset, what is wrong and what to do; a file too short or too long for its shape is refused here.
  static Embeddings open_npy(const std::string& path);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t dims() const { return dims_; }
  ElementType element_type() const { return type_; }
  const std::string& name() const { return name_; }  ///< the file, or "embeddings" in memory
  /// Bytes of all numbers as they are stored.
  std::uint64_t stored_bytes() const { return rows_ * dims_ * (type_ == ElementType::fp16 ? 2 : 4); }

  /// Rows first .. first + count - 1 into out (count x dims numbers). Callable from any thread. Throws TopologyError
  /// where the file changed underneath, and for a NaN or infinity, with its row and column.
  void read(std::uint64_t first, std::uint64_t count, float* out) const;

 private:
  struct File;
  Embeddings() = default;

  std::string name_ = "embeddings";
  std::uint64_t rows_ = 0, dims_ = 0;
  ElementType type_ = ElementType::fp32;
  const float* values_ = nullptr;  // in memory
  std::shared_ptr<const File> file_;
};

}  // namespace toposim::topology
