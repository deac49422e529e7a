#include "topology/import/text_lines.hpp"

#include <fmt/format.h>

#include <cstring>

#include "topology/import/import_error.hpp"

namespace toposim::topology {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20, longest_line = std::size_t{1} << 16;

}  // namespace

TextLines::TextLines(const std::string& path, std::uint64_t bytes_max)
    : file_(path, bytes_max), buffer_(buffer_bytes) {}

/// Keeps what is not read yet.
void TextLines::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ > longest_line)
    throw ImportError({fmt::format("{}: line {} is longer than {} bytes; this is another kind of file", file_.path(),
                                   number_ + 1, longest_line)});
  const std::size_t got = file_.read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  at_end_ = got == 0;
}

bool TextLines::next(std::string_view& line) {
  for (std::size_t looked = begin_;;) {
    const void* found = std::memchr(buffer_.data() + looked, '\n', end_ - looked);
    if (found == nullptr && !at_end_) {
      const std::size_t kept = end_ - begin_;
      refill();
      looked = begin_ + kept;
      continue;
    }
    if (found == nullptr && begin_ == end_) return false;
    const std::size_t stop = found ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) : end_;
    line = {buffer_.data() + begin_, stop - begin_};
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin_ = found ? stop + 1 : end_;
    ++number_;
    return true;
  }
}

}  // namespace toposim::topology
