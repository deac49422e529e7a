#include "topology/import/text_lines.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "topology/import/import_error.hpp"

namespace toposim::topology {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20, longest_line = std::size_t{1} << 16;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw ImportError({path + ": " + why});
}

}  // namespace

void TextLines::Close::operator()(void* file) const {
  gzclose_r(static_cast<gzFile>(file));
}

TextLines::TextLines(const std::string& path, std::uint64_t bytes_max) : path_(path), bytes_max_(bytes_max) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) refuse(path, "there is no such file");
  if (!std::filesystem::is_regular_file(status)) refuse(path, "this is not a file; name one");
  errno = 0;
  file_.reset(gzopen(path.c_str(), "rb"));
  if (!file_) refuse(path, fmt::format("cannot be opened: {}", errno != 0 ? std::strerror(errno) : "out of memory"));
  gzbuffer(static_cast<gzFile>(file_.get()), 1 << 18);
  buffer_.resize(buffer_bytes);
}

bool TextLines::refill() {
  if (at_end_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ > longest_line) {
    refuse(path_,
           fmt::format("line {} is longer than {} bytes; this is another kind of file", number_ + 1, longest_line));
  }
  const auto file = static_cast<gzFile>(file_.get());
  const int got = gzread(file, buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
  int error = Z_OK;
  const char* message = gzerror(file, &error);
  if (got < 0 || error == Z_BUF_ERROR) {
    refuse(path_, fmt::format("{} after {} bytes of text; copy it again",
                              error == Z_BUF_ERROR ? "the gzip data is cut short" : message, bytes_));
  }
  bytes_ += static_cast<std::uint64_t>(got);
  if (bytes_ > bytes_max_)
    refuse(path_, fmt::format("more than {} MB of text, the most that is read", bytes_max_ >> 20));
  end_ += static_cast<std::size_t>(got);
  at_end_ = got == 0;
  return true;
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
