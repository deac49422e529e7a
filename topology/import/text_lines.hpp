#pragma once
// A text file line by line, plain or gzip (told by content), in the memory of one buffer.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::topology {

class TextLines {
 public:
  /// Throws ImportError where it cannot be opened, is not a regular file, or turns out to be larger than bytes_max
  /// (unpacked), broken gzip, or in lines longer than 64 KiB.
  TextLines(const std::string& path, std::uint64_t bytes_max);

  /// The next line without its end (\n or \r\n); valid until the next call. False at the end of the file.
  bool next(std::string_view& line);
  std::uint32_t number() const { return number_; }  ///< of the line that next() gave, from 1

 private:
  struct Close {
    void operator()(void* file) const;
  };
  bool refill();

  std::string path_;
  std::unique_ptr<void, Close> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t bytes_ = 0, bytes_max_;
  std::uint32_t number_ = 0;
  bool at_end_ = false;
};

}  // namespace toposim::topology
