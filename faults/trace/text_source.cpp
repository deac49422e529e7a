#include "faults/trace/text_source.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "faults/trace/error.hpp"

namespace toposim::faults {

void TextSource::Close::operator()(void* file) const {
  gzclose(static_cast<gzFile>(file));
}

TextSource::TextSource(const std::string& path, std::uint64_t bytes_max) : path_(path), bytes_max_(bytes_max) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    refuse(fmt::format("cannot be opened: {}; name the file of a trace", std::strerror(errno)));
  if (S_ISDIR(about.st_mode)) refuse("a directory; name the file of a trace in it");
  errno = 0;
  file_.reset(gzopen(path.c_str(), "rb"));
  if (!file_) refuse(fmt::format("cannot be opened: {}", std::strerror(errno != 0 ? errno : ENOMEM)));
  gzbuffer(static_cast<gzFile>(file_.get()), 1U << 17);
  buffer_.resize(block_bytes + line_bytes_max);
}

void TextSource::refuse(const std::string& why) const {
  throw TraceError(line_ > 0 ? fmt::format("{}:{}: {}", path_, line_ + 1, why) : fmt::format("{}: {}", path_, why));
}

std::size_t TextSource::fill(char* to, std::size_t room) {
  const auto file = static_cast<gzFile>(file_.get());
  const int got = gzread(file, to, static_cast<unsigned>(room));
  int error = Z_OK;
  const char* why = gzerror(file, &error);
  // A cut stream gives what it has, then this.
  if (got < 0 || error == Z_BUF_ERROR)
    refuse(error == Z_BUF_ERROR ? "the gzip stream is cut short; copy the file again"
                                : fmt::format("cannot be read: {}", error == Z_ERRNO ? std::strerror(errno) : why));
  bytes_ += static_cast<std::uint64_t>(got);
  if (bytes_ > bytes_max_) refuse(fmt::format("more than {} bytes unpacked; split it", bytes_max_));
  return static_cast<std::size_t>(got);
}

std::string_view TextSource::head() {
  if (end_ == 0 && !ended_) {
    end_ = fill(buffer_.data(), block_bytes);
    ended_ = end_ == 0;
  }
  return std::string_view(buffer_).substr(begin_, end_ - begin_);
}

bool TextSource::next_line(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    if (const void* found = std::memchr(buffer_.data() + searched, '\n', end_ - searched); found != nullptr) {
      const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
      line = std::string_view(buffer_).substr(begin_, at - begin_);
      begin_ = at + 1;
      break;
    }
    if (ended_) {
      if (begin_ == end_) return false;
      line = std::string_view(buffer_).substr(begin_, end_ - begin_);
      begin_ = end_;
      break;
    }
    if (end_ - begin_ > line_bytes_max)
      refuse(fmt::format("a line of more than {} bytes; is this the text of a trace?", line_bytes_max));
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    searched = end_;
    begin_ = 0;
    const std::size_t got = fill(buffer_.data() + end_, buffer_.size() - end_);
    end_ += got;
    ended_ = got == 0;
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > line_bytes_max)
    refuse(fmt::format("a line of more than {} bytes; is this the text of a trace?", line_bytes_max));
  ++line_;
  return true;
}

std::string_view TextSource::next_block() {
  if (begin_ == end_ && !ended_) {
    begin_ = 0;
    end_ = fill(buffer_.data(), block_bytes);
    ended_ = end_ == 0;
  }
  const std::string_view block = std::string_view(buffer_).substr(begin_, end_ - begin_);
  begin_ = end_;
  return block;
}

}  // namespace toposim::faults
