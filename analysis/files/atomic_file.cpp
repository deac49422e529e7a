#include "analysis/files/atomic_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace toposim::analysis {
namespace {

namespace fs = std::filesystem;

/// Creates what is missing of a path and takes it away again unless keep() is called.
class CreatedDirectories {
 public:
  explicit CreatedDirectories(const fs::path& directory) {
    fs::path path;
    for (const fs::path& part : directory) {
      if (part.empty()) continue;  // what follows a slash at the end
      path /= part;
      if (::mkdir(path.c_str(), 0777) == 0) {
        created_.push_back(path);
        continue;
      }
      const int error_number = errno;
      struct stat status {};
      if (::stat(path.c_str(), &status) != 0) fail(path, error_number);
      if (!S_ISDIR(status.st_mode)) fail(path, ENOTDIR);
    }
  }
  CreatedDirectories(const CreatedDirectories&) = delete;
  CreatedDirectories& operator=(const CreatedDirectories&) = delete;
  ~CreatedDirectories() { remove(); }
  void keep() { created_.clear(); }

 private:
  [[noreturn]] void fail(const fs::path& path, int error_number) {
    remove();
    throw FileError("create directory", path, error_number);
  }
  void remove() {
    for (; !created_.empty(); created_.pop_back()) ::rmdir(created_.back().c_str());  // only where it is empty
  }
  std::vector<fs::path> created_;
};

/// A file under a temporary name beside `target`; gone again unless published.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path target) : target_(std::move(target)) {
    for (int attempt = 0;; ++attempt) {
      path_ = target_.parent_path() / ("." + target_.filename().string() + "." + std::to_string(::getpid()) + "-" +
                                       std::to_string(attempt) + ".tmp");
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ >= 0) return;
      if (errno != EEXIST || attempt == 1000) throw FileError("write", target_, errno);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!published_) ::unlink(path_.c_str());
  }

  void write(std::string_view contents) {
    while (!contents.empty()) {
      const ssize_t written = ::write(descriptor_, contents.data(), contents.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw FileError("write", target_, errno);
      contents.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::fsync(descriptor_) != 0) throw FileError("write", target_, errno);
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0) throw FileError("write", target_, errno);
  }

  void publish() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) throw FileError("write", target_, errno);
    published_ = true;
  }

 private:
  fs::path target_, path_;
  int descriptor_ = -1;
  bool published_ = false;
};

/// Held while a set of files is written, so that two runs into one directory leave one run's set, not a mixture. Where
/// the file system has no locks, or the directory cannot be read, it goes on without.
class DirectoryLock {
 public:
  explicit DirectoryLock(const fs::path& directory)
      : descriptor_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

 private:
  int descriptor_;
};

/// ".results.json.4711-0.tmp" for results.json; the process number if it is one.
pid_t writer_of(std::string_view name, std::string_view target) {
  const std::string start = "." + std::string(target) + ".";
  if (!name.starts_with(start) || !name.ends_with(".tmp")) return 0;
  name.remove_prefix(start.size());
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  return error == std::errc() && end != name.data() + name.size() && *end == '-' ? pid : 0;
}

/// Temporary files of a process that was killed while it wrote.
void remove_leftovers(const fs::path& directory, const std::vector<OutputFile>& files) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    for (const OutputFile& file : files) {
      const pid_t writer = writer_of(name, file.name);
      if (writer > 0 && ::kill(writer, 0) != 0 && errno == ESRCH) ::unlink(entry.path().c_str());
    }
  }
}

void require_name(const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    throw std::invalid_argument("'" + name + "' is not a file name");
}

void remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT && errno != EISDIR) throw FileError("remove", path, errno);
}

/// The renames themselves survive a power cut once the directory is synced; file systems that cannot say EINVAL.
void sync_directory(const fs::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a directory one may write to but not read: nothing more can be done
  const int result = ::fsync(descriptor);
  const int error_number = errno;
  ::close(descriptor);
  if (result != 0 && error_number != EINVAL) throw FileError("write", directory, error_number);
}

}  // namespace

void write_files(const fs::path& directory, const std::vector<OutputFile>& files,
                 const std::vector<std::string>& obsolete) {
  const fs::path where = directory.empty() ? fs::path(".") : directory;
  for (const OutputFile& file : files) require_name(file.name);
  for (const std::string& name : obsolete) require_name(name);
  CreatedDirectories created(where);
  const DirectoryLock lock(where);
  remove_leftovers(where, files);
  std::vector<std::unique_ptr<TemporaryFile>> temporary;
  for (const OutputFile& file : files) {
    const fs::path target = where / file.name;
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) throw FileError("write", target, EISDIR);
    temporary.push_back(std::make_unique<TemporaryFile>(target));
    temporary.back()->write(file.contents);
  }
  for (const std::string& name : obsolete) remove_file(where / name);
  for (const auto& file : temporary) file->publish();
  created.keep();
  sync_directory(where);
}

}  // namespace toposim::analysis
