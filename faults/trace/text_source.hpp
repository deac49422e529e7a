#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace toposim::faults {

/// A text file, plain or gzip (told by its first bytes, several members too), read once from front to end in blocks.
/// Throws TraceError, file and line named: not there, a damaged or cut gzip stream, larger than the limit.
class TextSource {
 public:
  static constexpr std::size_t block_bytes = std::size_t{1} << 18, line_bytes_max = std::size_t{1} << 16;

  TextSource(const std::string& path, std::uint64_t bytes_max);

  /// The first block, not yet consumed: what tells the format.
  std::string_view head();

  /// The next line without its end (LF or CR LF); false at the end. Valid until the next call. A line longer than
  /// line_bytes_max is refused.
  bool next_line(std::string_view& line);
  std::uint64_t line_number() const { return line_; }  ///< of the line last returned, from 1

  /// The next bytes, up to a block; empty at the end. Not to be mixed with next_line().
  std::string_view next_block();

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  std::size_t fill(char* to, std::size_t room);

  struct Close {
    void operator()(void* file) const;
  };
  std::string path_;
  std::unique_ptr<void, Close> file_;
  std::uint64_t bytes_max_, bytes_ = 0, line_ = 0;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is left of the buffer
  bool ended_ = false;
};

}  // namespace toposim::faults
