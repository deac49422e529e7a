#include "topology/import/packed_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "topology/import/import_error.hpp"

namespace toposim::topology {
namespace {

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
  throw ImportError({path + ": " + why});
}

}  // namespace

void PackedFile::Close::operator()(void* file) const {
  gzclose_r(static_cast<gzFile>(file));
}

PackedFile::PackedFile(std::string path, std::uint64_t bytes_max) : path_(std::move(path)), bytes_max_(bytes_max) {
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (!std::filesystem::exists(status)) refuse_file(path_, "there is no such file");
  if (!std::filesystem::is_regular_file(status)) refuse_file(path_, "this is not a file; name one");
  errno = 0;
  file_.reset(gzopen(path_.c_str(), "rb"));
  if (!file_)
    refuse_file(path_, fmt::format("cannot be opened: {}", errno != 0 ? std::strerror(errno) : "out of memory"));
  gzbuffer(static_cast<gzFile>(file_.get()), 1 << 18);
}

std::size_t PackedFile::read(char* to, std::size_t size) {
  const auto file = static_cast<gzFile>(file_.get());
  const int got = gzread(file, to, static_cast<unsigned>(size));
  int error = Z_OK;
  const char* message = gzerror(file, &error);
  if (got < 0 || error == Z_BUF_ERROR)
    refuse_file(path_, fmt::format("{} after {} bytes of text; copy it again",
                                   error == Z_BUF_ERROR ? "the gzip data is cut short" : message, bytes_));
  bytes_ += static_cast<std::uint64_t>(got);
  if (bytes_ > bytes_max_)
    refuse_file(path_, fmt::format("more than {} MB of text, the most that is read", bytes_max_ >> 20));
  return static_cast<std::size_t>(got);
}

std::string whole_text(const std::string& path, std::uint64_t bytes_max) {
  PackedFile file(path, bytes_max);
  std::string text;
  for (std::size_t got = 1; got > 0;) {
    constexpr std::size_t step = std::size_t{1} << 20;
    const std::size_t before = text.size();
    text.resize(before + step);
    got = file.read(text.data() + before, step);
    text.resize(before + got);
  }
  return text;
}

}  // namespace toposim::topology
