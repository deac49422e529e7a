#pragma once
// Files are read by pread rather than through a mapping: a file that shrinks meanwhile gives an error instead of a
// signal, and its pages do not count as the program's memory.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace toposim::recorded {

/// A regular file, open for reading. Constant once made; callable from any thread.
class SourceFile {
 public:
  /// Throws RecordedError where there is no such file, or it is no regular one.
  explicit SourceFile(std::string path);
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  ~SourceFile();

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }  ///< when it was opened

  /// Fills `out`; throws RecordedError where the file ends before, or cannot be read.
  void read(std::uint64_t offset, char* out, std::uint64_t bytes) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
};

/// The files that were read last, kept open: workers' rows are read in parts, and a file system over a network takes
/// its time to open one. Callable from any thread.
class OpenFiles {
 public:
  /// `key`: of the file, so that paths need not be compared.
  std::shared_ptr<const SourceFile> open(std::size_t key, const std::string& path);

 private:
  static constexpr std::size_t kept = 64;
  struct Slot {
    std::size_t key;
    std::uint64_t last_use;
    std::shared_ptr<const SourceFile> file;
  };
  std::shared_ptr<const SourceFile> find(std::size_t key);

  std::mutex mutex_;
  std::vector<Slot> slots_;
  std::uint64_t uses_ = 0;
};

}  // namespace toposim::recorded
