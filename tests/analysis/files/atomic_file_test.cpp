#include "analysis/files/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "temporary_directory.hpp"

namespace toposim::analysis {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// The error that an action meets; 0 and an empty text where it meets none.
struct Failure {
  int error_number = 0;
  std::string text;
};
Failure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FileError& e) {
    return {e.code().value(), e.what()};
  }
  return {};
}

TEST(WriteFiles, CreatesTheDirectoryAndReplacesWhatWasThere) {
  const TemporaryDirectory t;
  const fs::path out = t.path() / "out" / "name";
  write_files(out, {{"a", "first"}, {"b", std::string("\0x", 2)}});
  write_files(out / "", {{"a", "second, longer"}});
  EXPECT_EQ(contents_of(out / "a"), "second, longer");
  EXPECT_EQ(contents_of(out / "b"), std::string("\0x", 2));
  EXPECT_EQ(names_in(out), (Names{"a", "b"}));
}

// Process numbers end at 4194304 (proc(5)), so 4194305 is nobody's; 1 is always somebody's.
TEST(WriteFiles, RemovesWhatAKilledProcessLeftOfTheSameFiles) {
  const TemporaryDirectory t;
  for (const char* name :
       {".a.4194305-0.tmp", ".a.1-0.tmp", ".b.4194305-0.tmp", ".a.x-0.tmp", ".a.4194305.tmp", "a.tmp"})
    std::ofstream(t.path() / name) << "half";
  write_files(t.path(), {{"a", "x"}});
  EXPECT_EQ(names_in(t.path()),
            (Names{"a", ".a.1-0.tmp", ".b.4194305-0.tmp", ".a.x-0.tmp", ".a.4194305.tmp", "a.tmp"}));
}

// Two writers at once, each with its own letter in every file: whatever is left is of one of them.
TEST(WriteFiles, TwoProcessesLeaveOneSet) {
  const TemporaryDirectory t;
  const auto write_often = [&](char letter) {
    for (int i = 0; i < 60; ++i) {
      const std::string text(20'000, letter);
      write_files(t.path(), {{"a", text}, {"b", text}, {"c", text}});
    }
  };
  for (int round = 0; round < 3; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      write_often('x');
      ::_exit(0);
    }
    write_often('y');
    for (int i = 0; i < 200; ++i) {
      // Under the writers' own lock, as a reader that wants one set would take it.
      const int descriptor = ::open(t.path().c_str(), O_RDONLY | O_DIRECTORY);
      ASSERT_EQ(::flock(descriptor, LOCK_EX), 0);
      const char first = contents_of(t.path() / "a")[0];
      EXPECT_EQ(contents_of(t.path() / "b")[0], first);
      EXPECT_EQ(contents_of(t.path() / "c")[0], first);
      ::close(descriptor);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST(WriteFiles, FollowsTheUmask) {
  const TemporaryDirectory t;
  const mode_t before = ::umask(027);
  write_files(t.path(), {{"a", "x"}});
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((t.path() / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(WriteFiles, ReplacesALinkInsteadOfWritingThroughIt) {
  const TemporaryDirectory t;
  write_files(t.path(), {{"elsewhere", "keep"}});
  fs::create_symlink("elsewhere", t.path() / "a");
  write_files(t.path(), {{"a", "new"}});
  EXPECT_EQ(contents_of(t.path() / "elsewhere"), "keep");
  EXPECT_EQ(contents_of(t.path() / "a"), "new");
}

TEST(WriteFiles, SaysWhereTheDirectoryCannotBe) {
  const TemporaryDirectory t;
  write_files(t.path(), {{"file", "x"}});
  const std::string file = (t.path() / "file").string();
  Failure f = failure_of([&] { write_files(file, {{"a", "x"}}); });
  EXPECT_EQ(f.error_number, ENOTDIR);
  EXPECT_EQ(f.text, "cannot create directory " + file + ": Not a directory");
  f = failure_of([&] { write_files(t.path() / "new" / ".." / "file" / "deeper", {{"a", "x"}}); });
  EXPECT_EQ(f.error_number, ENOTDIR);
  EXPECT_EQ(names_in(t.path()), Names{"file"});  // "new" was created on the way and is gone again
}

TEST(WriteFiles, ADirectoryInTheWayLeavesTheOthersAlone) {
  const TemporaryDirectory t;
  write_files(t.path(), {{"a", "old"}});
  fs::create_directory(t.path() / "b");
  const Failure f = failure_of([&] { write_files(t.path(), {{"a", "new"}, {"b", "new"}}); });
  EXPECT_EQ(f.error_number, EISDIR);
  EXPECT_EQ(f.text, "cannot write " + (t.path() / "b").string() + ": Is a directory");
  EXPECT_EQ(contents_of(t.path() / "a"), "old");
  EXPECT_EQ(names_in(t.path()), (Names{"a", "b"}));
}

TEST(WriteFiles, RemovesWhatIsObsoleteOnceAllIsWritten) {
  const TemporaryDirectory t;
  write_files(t.path(), {{"old", "x"}, {"other", "x"}, {"a", "x"}});
  fs::create_directory(t.path() / "folder");
  fs::create_directory(t.path() / "b");
  EXPECT_EQ(failure_of([&] { write_files(t.path(), {{"a", "new"}, {"b", "new"}}, {"old"}); }).error_number, EISDIR);
  EXPECT_EQ(names_in(t.path()), (Names{"a", "b", "folder", "old", "other"}));  // nothing was written
  write_files(t.path(), {{"a", "new"}}, {"old", "never", "folder"});
  EXPECT_EQ(names_in(t.path()), (Names{"a", "b", "folder", "other"}));
  EXPECT_THROW(write_files(t.path(), {{"a", "x"}}, {"../a"}), std::invalid_argument);
}

TEST(WriteFiles, NamesAreNames) {
  const TemporaryDirectory t;
  for (const char* name : {"", ".", "..", "a/b", "/a"})
    EXPECT_THROW(write_files(t.path(), {{name, "x"}}), std::invalid_argument) << name;
  EXPECT_EQ(names_in(t.path()), Names{});
}

/// A write that fails half way, without a full disk: files may not grow beyond a limit.
TEST(WriteFiles, AFailedWriteLeavesNothing) {
  const TemporaryDirectory t;
  write_files(t.path(), {{"a", "old"}});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{64 * 1024, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Failure f = failure_of([&] {
    write_files(t.path() / "new", {{"a", "short"}, {"b", std::string(1 << 20, 'x')}});
  });
  const Failure again = failure_of([&] { write_files(t.path(), {{"a", "short"}, {"b", std::string(1 << 20, 'x')}}); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(f.error_number, EFBIG);
  EXPECT_EQ(again.text, "cannot write " + (t.path() / "b").string() + ": File too large");
  EXPECT_EQ(names_in(t.path()), Names{"a"});
  EXPECT_EQ(contents_of(t.path() / "a"), "old");
}

TEST(WriteFiles, AFullDiskLeavesNothing) {
  const TemporaryDirectory t;
  if (::mount("none", t.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "no small file system to fill: mount: " << std::strerror(errno);
  write_files(t.path(), {{"a", "old"}});
  const Failure f = failure_of([&] { write_files(t.path(), {{"a", "new"}, {"b", std::string(1 << 20, 'x')}}); });
  const Names names = names_in(t.path());
  const std::string a = contents_of(t.path() / "a");
  ::umount(t.path().c_str());
  EXPECT_EQ(f.error_number, ENOSPC);
  EXPECT_EQ(f.text, "cannot write " + (t.path() / "b").string() + ": No space left on device");
  EXPECT_EQ(names, Names{"a"});
  EXPECT_EQ(a, "old");
}

TEST(WriteFiles, SaysThatItMayNot) {
  const TemporaryDirectory t;
  write_files(t.path(), {{"a", "old"}});
  const bool root = ::geteuid() == 0;
  fs::permissions(t.path(),
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  if (root && ::seteuid(65534) != 0) GTEST_SKIP() << "root may write anywhere and cannot become somebody else here";
  const Failure file = failure_of([&] { write_files(t.path(), {{"a", "new"}}); });
  const Failure directory = failure_of([&] { write_files(t.path() / "sub", {{"a", "new"}}); });
  const bool restored = !root || ::seteuid(0) == 0;
  ASSERT_TRUE(restored);
  fs::permissions(t.path(), fs::perms::owner_all);
  EXPECT_EQ(file.text, "cannot write " + (t.path() / "a").string() + ": Permission denied");
  EXPECT_EQ(directory.text, "cannot create directory " + (t.path() / "sub").string() + ": Permission denied");
  EXPECT_EQ(contents_of(t.path() / "a"), "old");
}

}  // namespace
}  // namespace toposim::analysis
