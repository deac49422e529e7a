#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/error.hpp"

namespace toposim::topology {

/// Files of a fabric that cannot be used as they are. Each problem says where (file and line), what and what to do.
class ImportError : public TopologyError {
 public:
  explicit ImportError(std::vector<std::string> problems);
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<std::string> problems_;
};

/// Collects what is wrong with one file.
class FileProblems {
 public:
  explicit FileProblems(std::string file) : file_(std::move(file)) {}

  void add(std::uint32_t line, const std::string& what);  ///< line 0: the file as a whole
  bool none() const { return count_ == 0; }
  bool many() const { return count_ >= 1000; }  ///< enough to stop reading: this is another kind of file
  void throw_if_any() const;                    ///< the first 20, and how many more
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::vector<std::string> first_;
  std::size_t count_ = 0;
};

/// Text of a file in a message: cut, and without control characters.
std::string shown(std::string_view text);

}  // namespace toposim::topology
