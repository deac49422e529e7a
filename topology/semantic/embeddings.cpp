#include "topology/semantic/embeddings.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include "topology/error.hpp"
#include "topology/semantic/half.hpp"
#include "topology/semantic/npy_header.hpp"
#include "topology/semantic/processor.hpp"

namespace toposim::topology {

struct Embeddings::File {
  int descriptor = -1;
  std::uint64_t data_offset = 0;

  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

namespace {

// Fills `out`, or says how many bytes there were.
std::uint64_t read_at(int descriptor, std::uint64_t offset, char* out, std::uint64_t bytes, const std::string& name) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::pread(descriptor, out + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw TopologyError(fmt::format("{}: byte {}: cannot be read: {}; check the file and its disk", name,
                                      offset + done, std::strerror(errno)));
    }
    if (got == 0) break;
    done += static_cast<std::uint64_t>(got);
  }
  return done;
}

void check_sizes(const std::string& where, std::uint64_t rows, std::uint64_t dims) {
  if (rows < 1 || rows > embedding_rows_max || dims < 1 || dims > embedding_dims_max) {
    throw TopologyError(fmt::format("{}: {} rows of {} numbers; give 1 to {} rows of 1 to {}", where, rows, dims,
                                    embedding_rows_max, embedding_dims_max));
  }
}

ElementType element_type_of(const NpyHeader& header, const std::string& path) {
  if (header.descr == "<f4") return ElementType::fp32;
  if (header.descr == "<f2") return ElementType::fp16;
  const char* why = header.descr.starts_with('>') ? "big endian" : "another type";
  throw TopologyError(
      fmt::format("{}: byte 10: numbers of type '{}' ({}); '<f4' and '<f2' are read; convert with array.astype('<f4')",
                  path, header.descr, why));
}

// An exponent of all ones is an infinity or a NaN. A loop over integers, so that it vectorises.
bool all_finite(const float* values, std::uint64_t count) {
  std::uint32_t bad = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(values[i]) & 0x7f800000u) == 0x7f800000u);
  }
  return bad == 0;
}

}  // namespace

Embeddings Embeddings::in_memory(std::span<const float> values, std::uint64_t rows, std::uint64_t dims) {
  check_sizes("embeddings", rows, dims);
  if (values.size() != rows * dims) {
    throw TopologyError(
        fmt::format("embeddings: {} numbers for {} rows of {}; {} are needed", values.size(), rows, dims, rows * dims));
  }
  Embeddings result;
  result.rows_ = rows;
  result.dims_ = dims;
  result.values_ = values.data();
  return result;
}

Embeddings Embeddings::open_npy(const std::string& path) {
  check_processor();
  auto file = std::make_shared<File>();
  // Without waiting: a pipe is refused below, not waited for.
  file->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info {};
  if (file->descriptor < 0 || ::fstat(file->descriptor, &info) != 0) {
    throw TopologyError(
        fmt::format("{}: cannot be opened: {}; check path and permissions", path, std::strerror(errno)));
  }
  if (!S_ISREG(info.st_mode)) {
    throw TopologyError(fmt::format("{}: not a regular file; embeddings are read from a .npy file on a disk", path));
  }
  const auto bytes = static_cast<std::uint64_t>(info.st_size);
  std::string front(std::min(bytes, npy_front_bytes_max), '\0');
  front.resize(read_at(file->descriptor, 0, front.data(), front.size(), path));
  const NpyHeader header =
      read_npy_header(front, path, "write it with numpy.save of a 2-D float32 or float16 array in C order");

  Embeddings result;
  result.name_ = path;
  result.type_ = element_type_of(header, path);
  if (header.shape.size() != 2) {
    throw TopologyError(fmt::format("{}: byte 10: an array of {} dimensions; samples x numbers (2) is read; reshape it",
                                    path, header.shape.size()));
  }
  if (header.fortran_order && header.shape[0] > 1 && header.shape[1] > 1) {
    throw TopologyError(fmt::format(
        "{}: byte 10: Fortran order: a sample's numbers are not side by side; save numpy.ascontiguousarray(array)",
        path));
  }
  result.rows_ = header.shape[0];
  result.dims_ = header.shape[1];
  check_sizes(path + ": byte 10", result.rows_, result.dims_);
  const std::uint64_t end = header.data_offset + result.stored_bytes();
  if (bytes < end) {
    const std::uint64_t row_bytes = result.stored_bytes() / result.rows_;
    throw TopologyError(fmt::format(
        "{}: byte {}: the file ends after {} of {} rows (its shape asks for {} bytes); it was cut off: write it again",
        path, bytes, (bytes - header.data_offset) / row_bytes, result.rows_, end));
  }
  if (bytes > end) {
    throw TopologyError(fmt::format(
        "{}: byte {}: {} bytes follow the {} rows of its shape; the shape is wrong or something was appended: write it "
        "again",
        path, end, bytes - end, result.rows_));
  }
  file->data_offset = header.data_offset;
  ::posix_fadvise(file->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  result.file_ = std::move(file);
  return result;
}

void Embeddings::read(std::uint64_t first, std::uint64_t count, float* out) const {
  if (first > rows_ || count > rows_ - first) {
    throw TopologyError(
        fmt::format("{}: rows {} to {} were asked for; there are {}", name_, first, first + count, rows_));
  }
  const std::uint64_t numbers = count * dims_;
  if (values_ != nullptr) {
    std::copy_n(values_ + first * dims_, numbers, out);
  } else {
    const std::uint64_t width = type_ == ElementType::fp16 ? 2 : 4;
    const std::uint64_t offset = file_->data_offset + first * dims_ * width;
    std::vector<std::uint16_t> halves(width == 2 ? numbers : 0);
    char* const to = width == 2 ? reinterpret_cast<char*>(halves.data()) : reinterpret_cast<char*>(out);
    const std::uint64_t got = read_at(file_->descriptor, offset, to, numbers * width, name_);
    if (got < numbers * width) {
      throw TopologyError(fmt::format(
          "{}: byte {}: the file became shorter while it was read; leave it alone meanwhile", name_, offset + got));
    }
    if (width == 2) widen_halves(halves.data(), numbers, out);
  }
  if (all_finite(out, numbers)) return;
  for (std::uint64_t i = 0; i < numbers; ++i) {
    if (all_finite(out + i, 1)) continue;
    throw TopologyError(
        fmt::format("{}: row {}, column {}: {} is not a number that can be clustered; leave that sample "
                    "out or repair it",
                    name_, first + i / dims_, i % dims_, out[i]));
  }
}

}  // namespace toposim::topology
