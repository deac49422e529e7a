#include "analysis/files/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "analysis/files/limited_file.hpp"

namespace toposim::analysis {
namespace {

/// Reads one field from `at` on, which then stands behind its comma or line break. Whether the line goes on.
bool take_field(std::string_view text, std::size_t& at, std::string& field, const std::string& file) {
  field.clear();
  if (at < text.size() && text[at] == '"') {
    for (++at;; ++at) {
      if (at >= text.size()) refuse_file(file, "a quote is never closed; the file was cut or changed");
      if (text[at] != '"') {
        field += text[at];
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        field += text[at++];
      } else {
        ++at;
        break;
      }
    }
  }
  const std::size_t end = std::min(text.find_first_of(",\n", at), text.size());
  field += text.substr(at, end - at);
  if (!field.empty() && field.back() == '\r' && (end == text.size() || text[end] == '\n')) field.pop_back();
  at = end + 1;
  return end < text.size() && text[end] == ',';
}

template <class Number>
Number parsed(const CsvTable& table, std::size_t row, std::size_t column, const char* what) {
  const std::string& text = table.rows[row][column];
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(static_cast<double>(value)))
    refuse_file(table.file, fmt::format("row {}, column {}: expected {}, got '{}'", row + 1, table.names[column], what,
                                        text.substr(0, 40)));
  return value;
}

}  // namespace

std::size_t CsvTable::column(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) refuse_file(file, fmt::format("has no column {}", name));
  return static_cast<std::size_t>(found - names.begin());
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  if (rows[row][column].empty()) return std::numeric_limits<double>::quiet_NaN();
  return parsed<double>(*this, row, column, "a finite number");
}

std::uint64_t CsvTable::count(std::size_t row, std::size_t column) const {
  return parsed<std::uint64_t>(*this, row, column, "a whole number");
}

CsvTable parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  table.file = file;
  std::string field;
  for (std::size_t at = 0; at < text.size();) {
    std::vector<std::string> row;
    bool more = true;
    while (more) {
      more = take_field(text, at, field, file);
      row.push_back(field);
    }
    if (table.names.empty()) {
      table.names = std::move(row);
      continue;
    }
    if (row.size() != table.names.size())
      refuse_file(file, fmt::format("row {} has {} fields of {}; the file was cut or changed", table.rows.size() + 1,
                                    row.size(), table.names.size()));
    table.rows.push_back(std::move(row));
  }
  return table;
}

CsvTable read_csv_file(const std::filesystem::path& file) {
  return parse_csv(read_limited_file(file, "CSV file of results", 512), file.string());
}

}  // namespace toposim::analysis
