#include "sim/recorded/source_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/recorded/error.hpp"

namespace toposim::recorded {

SourceFile::SourceFile(std::string path) : path_(std::move(path)) {
  // Without waiting: a pipe is refused below, not waited for.
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &info) != 0) {
    const std::string why = std::strerror(errno);
    if (descriptor_ >= 0) ::close(descriptor_);
    throw RecordedError(fmt::format("{}: cannot be opened: {}; check path and permissions", path_, why));
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(descriptor_);
    throw RecordedError(fmt::format("{}: not a regular file; recorded gradients are read from files on a disk", path_));
  }
  bytes_ = static_cast<std::uint64_t>(info.st_size);
}

SourceFile::~SourceFile() {
  ::close(descriptor_);
}

void SourceFile::read(std::uint64_t offset, char* out, std::uint64_t bytes) const {
  std::uint64_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::pread(descriptor_, out + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw RecordedError(fmt::format("{}: byte {}: cannot be read: {}; check the file and its disk", path_,
                                      offset + done, std::strerror(errno)));
    }
    if (got == 0) {
      throw RecordedError(fmt::format(
          "{}: byte {}: the file became shorter while it was read; leave it alone meanwhile", path_, offset + done));
    }
    done += static_cast<std::uint64_t>(got);
  }
}

std::shared_ptr<const SourceFile> OpenFiles::find(std::size_t key) {
  const auto slot = std::ranges::find(slots_, key, &Slot::key);
  if (slot == slots_.end()) return nullptr;
  slot->last_use = ++uses_;
  return slot->file;
}

std::shared_ptr<const SourceFile> OpenFiles::open(std::size_t key, const std::string& path) {
  {
    const std::lock_guard lock(mutex_);
    if (auto file = find(key)) return file;
  }
  // Other threads go on meanwhile; where two open the same file, the first one is kept.
  auto file = std::make_shared<const SourceFile>(path);
  const std::lock_guard lock(mutex_);
  if (auto other = find(key)) return other;
  if (slots_.size() == kept) slots_.erase(std::ranges::min_element(slots_, {}, &Slot::last_use));
  slots_.push_back({key, ++uses_, file});
  return file;
}

}  // namespace toposim::recorded
