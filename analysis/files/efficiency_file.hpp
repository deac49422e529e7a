#pragma once
// accuracy.json read back (efficiency_json.hpp says what is in it): the part that a lifecycle study takes its measured
// statistical efficiency from.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/files/json_file.hpp"

namespace toposim::analysis {

/// One scheme under one fault case.
struct MeasuredCell {
  std::string faults, scheme;
  double dead_share = 0;         ///< of all workers, expected per step; 0 to 1
  std::vector<double> per_seed;  ///< above 0; NaN where the goal was not reached within the longest run
};

struct MeasuredEfficiency {
  std::string file, measured_on, digest;
  /// NaN where it is not known.
  double domain_size = 0, batch_over_noise_scale = 0, c_in = 0, c_out = 0;
  std::size_t seeds = 0;  ///< values of every cell
  std::vector<MeasuredCell> cells;
};

/// Throws ResultFileError with the file, the key in it, what is wrong and what to do. A cell whose mean or count of
/// censored seeds does not follow from its values was edited, and is refused.
MeasuredEfficiency read_efficiency(const std::filesystem::path& file);

/// The same of text; file_name is for messages.
MeasuredEfficiency parse_efficiency(std::string_view text, const std::string& file_name);

}  // namespace toposim::analysis
