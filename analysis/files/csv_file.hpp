#pragma once
// CSV of ours read back: names in the first line, quotes as RFC 4180 has them.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::analysis {

struct CsvTable {
  std::string file;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;  ///< row r stands in line r + 2 where no field holds a line break

  /// Throws ResultFileError where no column has that name.
  std::size_t column(std::string_view name) const;
  /// NaN where the field is empty. Throws ResultFileError, naming row and column, where it is no finite number.
  double number(std::size_t row, std::size_t column) const;
  /// The same of a whole number.
  std::uint64_t count(std::size_t row, std::size_t column) const;
};

/// Throws ResultFileError where the file cannot be read, is larger than 512 MiB, or has a row whose fields are more or
/// fewer than the names. An empty file is a table without columns.
CsvTable read_csv_file(const std::filesystem::path& file);

/// The same of text; file: for messages.
CsvTable parse_csv(std::string_view text, const std::string& file);

}  // namespace toposim::analysis
