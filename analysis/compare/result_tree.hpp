#pragma once
// A results.json of either kind, taken apart for comparison: every value under a path such as
// schemes.shrink.metrics.ettr.mean.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "analysis/compare/welch.hpp"
#include "analysis/files/json_file.hpp"

namespace toposim::analysis {

struct ResultLeaf {
  enum class Kind : std::uint8_t { number, text, null } kind = Kind::null;
  double number = 0;
  std::string text;  ///< true and false are texts
};

struct ResultTree {
  std::string file;
  std::string kind, scenario, hash, seed, digest;  ///< what the file says of itself; also among the leaves
  std::map<std::string, ResultLeaf> leaves;
  std::map<std::string, Sample> samples;  ///< path of an object with n >= 2, mean and sd -> these
};

/// Objects of a list are told apart by what names them (name, faults, scheme, step, steps, seed), where that is unique
/// within it: gradient.transient_5/shrink/200; otherwise by position: advice[0].
/// path: the file, or a folder with a results.json. Throws ResultFileError.
ResultTree read_result_tree(const std::filesystem::path& path);

/// The same of text; file_name is for messages.
ResultTree parse_result_tree(std::string_view text, const std::string& file_name);

}  // namespace toposim::analysis
