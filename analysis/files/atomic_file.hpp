#pragma once
// Result files that are there whole or not at all: a reader never meets half a file, and a failed run leaves the
// previous results as they were.
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace toposim::analysis {

struct OutputFile {
  std::string name;  ///< within the directory, no slashes
  std::string contents;
};

/// what(): "cannot write out/x/results.json: No space left on device". code() holds errno.
class FileError : public std::system_error {
 public:
  FileError(const std::string& action, const std::filesystem::path& path, int error_number)
      : std::system_error(error_number, std::generic_category(), "cannot " + action + " " + path.string()),
        path_(path) {}
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Creates the directory (and those above it), writes every file under a temporary name beside its own, makes them
/// durable (fsync), and only then renames all of them, in the order given. Throws FileError; then no temporary file is
/// left, nor a directory that it created itself, and unless the renaming itself failed half way (one of the names
/// turned into a directory meanwhile) every earlier file is as it was. Two processes that write the same names at the
/// same time take turns, so that the files left are of one of them. Temporary files that a killed process left for one
/// of these names are removed. So are the files named in `obsolete`, just before the renames: what an earlier run left
/// there would pass for this one's. Directories of these names stay.
void write_files(const std::filesystem::path& directory, const std::vector<OutputFile>& files,
                 const std::vector<std::string>& obsolete = {});

}  // namespace toposim::analysis
