#pragma once
// Lines of text for a terminal: what may be shown of a foreign string, widths, wrapping, tables.
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/report_style.hpp"

namespace toposim::analysis {

/// Foreign text made harmless: control characters (line breaks, escape sequences) as \n, \t, \x1b; bytes that are not
/// UTF-8 as '?'; without unicode everything beyond ASCII as '?'.
std::string printable(std::string_view text, const ReportStyle& style);

/// printable() and no wider than `columns`: the end is replaced by a mark.
std::string shortened(std::string_view text, int columns, const ReportStyle& style);

/// Columns that a printable text takes: none for bold() and yellow(), two for wide East Asian characters.
int display_width(std::string_view text);

std::string pad_left(std::string_view text, int columns);
std::string pad_right(std::string_view text, int columns);

/// Breaks at blanks into lines of at most `columns`; the first starts with `first`, the others with as many blanks and
/// `hanging` more. A word that is too long for a line stands alone on one, unbroken. Ends with a line break.
std::string wrapped(std::string_view first, std::string_view text, int columns, int hanging = 0);

/// The text as one word for wrapped(), blanks and all, unless it is too long for half a line.
std::string kept_together(std::string text);

/// Numbers in a column, padded on the right so that their decimal points stand below each other.
void align_decimals(std::vector<std::string>& numbers);

struct TableColumn {
  std::vector<std::string> heading;  ///< lines; all columns are padded to the same number of them
  std::vector<std::string> cells;
  int priority = 0;  ///< where the table is too wide the highest goes first; 0 never goes
};

/// First column to the left, the others to the right; two blanks between columns, one where two do not fit. Columns
/// with a priority are left out until it fits; then the first is shortened.
std::string table(std::vector<TableColumn> columns, const ReportStyle& style, std::string_view indent);

/// As many of the columns beside each other as fit, the first to the left of each part; an empty line between parts.
std::string table_in_parts(const TableColumn& first, const std::vector<TableColumn>& columns, const ReportStyle& style,
                           std::string_view indent);

/// A name as the heading of a narrow column, broken behind '_' into at most three lines or so: "checkpoint_",
/// "restart".
std::vector<std::string> broken_name(std::string_view name, int columns, const ReportStyle& style);

std::string bold(std::string_view text, const ReportStyle& style);
std::string yellow(std::string_view text, const ReportStyle& style);

}  // namespace toposim::analysis
