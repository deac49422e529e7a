#pragma once
// What is wrong with a scenario, and where. Problems are collected, never thrown, so that a file's are told all at
// once.
#include <string>
#include <string_view>
#include <vector>

namespace toposim::sim {

/// One problem of a scenario file, or of an argument that changes it (then `file` is that: --set run.sed=3).
struct Problem {
  std::string file;
  int line = 0, column = 0;  ///< from 1, columns in characters; 0: the file (or override) as a whole
  std::string message;       ///< key path, what was expected, what would do
  std::string line_part;     ///< the line, or what fits of it around the column; empty where there is none
  int caret = 0;             ///< characters of line_part before the column

  /// rail_10k.yaml:14:5: unknown key 'oversubscripton' in cluster.fabric; did you mean 'oversubscription'?
  std::string text() const;
  /// The line and a caret under the column, two lines each ending in \n; empty where there is no line to show.
  std::string excerpt() const;
};

/// A place in one of the texts that make up a scenario.
struct Mark {
  int source = 0;  ///< 0: the file; k: override k - 1
  int line = 0;    ///< from 1; 0: the text as a whole
  int column = 0;  ///< from 1, in bytes
};

inline constexpr std::size_t most_problems = 100;

class Problems {
 public:
  void add(const Mark& mark, std::string message);  ///< control characters become '?', and it is cut at 1,000 bytes
  std::size_t count() const { return found_.size(); }
  /// In order of the file, then of the overrides; a place that was reached twice over an alias is told once.
  /// After the first most_problems, one line says how many more there are.
  /// text: of the file, for columns and excerpts; overrides: as typed, in order.
  std::vector<Problem> in_file_order(const std::string& file, std::string_view text,
                                     const std::vector<std::string>& overrides) const;

 private:
  struct Found {
    Mark mark;
    std::string message;
  };
  std::vector<Found> found_;
};

}  // namespace toposim::sim
