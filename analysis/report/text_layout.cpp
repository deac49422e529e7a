#include "analysis/report/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace toposim::analysis {
namespace {

/// Stands for a blank that wrapped() must not break at; printable() lets no foreign one through.
constexpr char glue = '\x1f';

/// Bytes of the UTF-8 sequence at the start of text; 0 if it is none (overlong, surrogate, beyond U+10FFFF, cut off).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (length < 3) return length;
  const unsigned char second = byte(1);
  const bool bad = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                   (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return bad ? 0 : length;
}

/// C0 and C1 controls, and the marks that reorder what stands around them (U+202A..U+202E, U+2066..U+2069).
bool is_control(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7f;
  if (sequence.size() == 2) return byte(0) == 0xc2 && byte(1) < 0xa0;
  if (sequence.size() != 3 || byte(0) != 0xe2) return false;
  return (byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae) ||
         (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9);
}

void append_printable(std::string& out, std::string_view sequence, const ReportStyle& style) {
  if (sequence == "\n")
    out += "\\n";
  else if (sequence == "\t")
    out += "\\t";
  else if (sequence == "\r")
    out += "\\r";
  else if (is_control(sequence) && sequence.size() == 1)
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(sequence[0]));
  else if (is_control(sequence) || (sequence.size() > 1 && !style.unicode))
    out += '?';
  else
    out += sequence;
}

/// A line break at the end stays outside.
std::string colour(std::string_view code, std::string_view text, const ReportStyle& style) {
  if (!style.colour) return std::string(text);
  const bool line = text.ends_with('\n');
  if (line) text.remove_suffix(1);
  return fmt::format("\x1b[{}m{}\x1b[0m{}", code, text, line ? "\n" : "");
}

int width_of(const TableColumn& column) {
  int width = 0;
  for (const std::string& line : column.heading) width = std::max(width, display_width(line));
  for (const std::string& cell : column.cells) width = std::max(width, display_width(cell));
  return width;
}

int width_of(const std::vector<TableColumn>& columns, int gap) {
  int width = -gap;
  for (const TableColumn& column : columns) width += gap + width_of(column);
  return width;
}

}  // namespace

std::string printable(std::string_view text, const ReportStyle& style) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0)
      out += '?';
    else
      append_printable(out, text.substr(0, length), style);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string shortened(std::string_view text, int columns, const ReportStyle& style) {
  std::string out = printable(text, style);
  if (display_width(out) <= columns) return out;
  const std::string mark = style.unicode ? "\u2026" : "~";
  while (display_width(out) > columns - 1) {
    while ((static_cast<unsigned char>(out.back()) & 0xc0) == 0x80) out.pop_back();  // rest of a sequence
    out.pop_back();
  }
  return out + mark;
}

int display_width(std::string_view text) {
  std::string shown;  // without our own colours, which take no place
  for (std::size_t escape; (escape = text.find("\x1b[")) != std::string_view::npos;) {
    shown += text.substr(0, escape);
    text.remove_prefix(std::min(text.find('m', escape), text.size() - 1) + 1);
  }
  shown += text;
  // fmt pads by display width: what it does not pad is the width.
  const std::size_t enough = shown.size() + 1;
  return static_cast<int>(2 * enough + shown.size() - fmt::formatted_size("{:<{}}", shown, 2 * enough));
}

std::string pad_left(std::string_view text, int columns) {
  return fmt::format("{:>{}}", text, std::max(columns, 0));
}
std::string pad_right(std::string_view text, int columns) {
  return fmt::format("{:<{}}", text, std::max(columns, 0));
}

std::string wrapped(std::string_view first, std::string_view text, int columns, int hanging) {
  const std::string indent(static_cast<std::size_t>(display_width(first) + hanging), ' ');
  std::string out, line(first);
  bool empty = true;  // no word on this line yet
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    if (!empty && display_width(line) + 1 + display_width(word) > columns) {
      out += line + '\n';
      line = indent;
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
  }
  out += line + '\n';
  std::replace(out.begin(), out.end(), glue, ' ');
  return out;
}

std::string kept_together(std::string text) {
  if (display_width(text) <= 40) std::replace(text.begin(), text.end(), ' ', glue);
  return text;
}

void align_decimals(std::vector<std::string>& numbers) {
  const auto decimals = [](const std::string& number) {
    const std::size_t point = number.find('.');
    return point == std::string::npos ? 0 : number.size() - point;
  };
  std::size_t most = 0;
  for (const std::string& number : numbers) most = std::max(most, decimals(number));
  for (std::string& number : numbers) number.append(most - decimals(number), ' ');
}

std::string table(std::vector<TableColumn> columns, const ReportStyle& style, std::string_view indent) {
  const int room = style.columns - static_cast<int>(indent.size());
  while (width_of(columns, 1) > room) {
    const auto least = std::max_element(columns.begin(), columns.end(),
                                        [](const auto& a, const auto& b) { return a.priority < b.priority; });
    if (least->priority == 0) break;
    columns.erase(least);
  }
  if (const int excess = width_of(columns, 1) - room; excess > 0 && !columns.empty()) {
    const int left = std::max(8, width_of(columns[0]) - excess);
    for (std::string& cell : columns[0].cells) cell = shortened(cell, left, style);
  }
  const std::string gap(width_of(columns, 2) <= room ? 2 : 1, ' ');
  std::size_t heading_lines = 0;
  for (const TableColumn& column : columns) heading_lines = std::max(heading_lines, column.heading.size());
  const std::size_t lines = heading_lines + (columns.empty() ? 0 : columns.front().cells.size());
  std::string out;
  for (std::size_t line = 0; line < lines; ++line) {
    std::string text(indent);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const TableColumn& column = columns[c];
      std::string cell;
      if (line >= heading_lines)
        cell = column.cells[line - heading_lines];
      else if (line + column.heading.size() >= heading_lines)
        cell = column.heading[line + column.heading.size() - heading_lines];
      text += c == 0 ? pad_right(cell, width_of(column)) : gap + pad_left(cell, width_of(column));
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  }
  return out;
}

std::string table_in_parts(const TableColumn& first, const std::vector<TableColumn>& columns, const ReportStyle& style,
                           std::string_view indent) {
  const int room = style.columns - static_cast<int>(indent.size());
  std::string out;
  for (std::size_t from = 0; from < columns.size();) {
    std::vector<TableColumn> part{first};
    do part.push_back(columns[from++]);
    while (from < columns.size() && width_of(part, 2) + 2 + width_of(columns[from]) <= room);
    out += (out.empty() ? "" : "\n") + table(std::move(part), style, indent);
  }
  return out;
}

std::vector<std::string> broken_name(std::string_view name, int columns, const ReportStyle& style) {
  std::vector<std::string> lines{""};
  std::string rest = shortened(name, 3 * columns, style);
  while (!rest.empty()) {
    const std::size_t end = rest.find('_');
    const std::string part = rest.substr(0, end == std::string::npos ? end : end + 1);
    rest.erase(0, part.size());
    if (!lines.back().empty() && display_width(lines.back() + part) > columns) lines.emplace_back();
    lines.back() = shortened(lines.back() + part, columns, style);
  }
  return lines;
}

std::string bold(std::string_view text, const ReportStyle& style) {
  return colour("1", text, style);
}
std::string yellow(std::string_view text, const ReportStyle& style) {
  return colour("33", text, style);
}

}  // namespace toposim::analysis
