#pragma once
// A text file line by line, plain or gzip (told by content), in the memory of one buffer.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/import/packed_file.hpp"

namespace toposim::topology {

class TextLines {
 public:
  /// Throws ImportError as PackedFile does, next() also for lines longer than 64 KiB.
  TextLines(const std::string& path, std::uint64_t bytes_max);

  /// The next line without its end (\n or \r\n); valid until the next call. False at the end of the file.
  bool next(std::string_view& line);
  std::uint32_t number() const { return number_; }  ///< of the line that next() gave, from 1

 private:
  void refill();

  PackedFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint32_t number_ = 0;
  bool at_end_ = false;
};

}  // namespace toposim::topology
