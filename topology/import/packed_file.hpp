#pragma once
// A file of text, plain or gzip (told by content).
#include <cstdint>
#include <memory>
#include <string>

namespace toposim::topology {

class PackedFile {
 public:
  /// Throws ImportError where it cannot be opened or is not a regular file. bytes_max: of text, unpacked.
  PackedFile(std::string path, std::uint64_t bytes_max);

  /// Up to `size` bytes of text; 0 at the end. Throws ImportError where the gzip data is broken or cut short, or there
  /// is more text than bytes_max.
  std::size_t read(char* to, std::size_t size);
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(void* file) const;
  };
  std::string path_;
  std::unique_ptr<void, Close> file_;
  std::uint64_t bytes_ = 0, bytes_max_;
};

/// All of it. Throws ImportError as PackedFile does.
std::string whole_text(const std::string& path, std::uint64_t bytes_max);

}  // namespace toposim::topology
