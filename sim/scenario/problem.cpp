#include "sim/scenario/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace toposim::sim {
namespace {

constexpr int excerpt_width = 100;  // characters
constexpr std::size_t longest_message = 1000;

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

int characters(std::string_view bytes) {
  return static_cast<int>(std::count_if(bytes.begin(), bytes.end(), [](char c) { return !continues_character(c); }));
}

/// The characters of a line around the problem's column, so that one very long line does not flood the terminal.
void take_excerpt(std::string_view line, Problem& problem) {
  const int first = std::max(0, problem.column - 1 - excerpt_width / 2);
  int index = 0;
  for (std::size_t i = 0; i < line.size() && index < first + excerpt_width; ++index) {
    std::size_t end = i + 1;
    while (end < line.size() && continues_character(line[end])) ++end;
    if (index >= first)
      problem.line_part += static_cast<unsigned char>(line[i]) < 0x20 ? std::string_view(" ") : line.substr(i, end - i);
    i = end;
  }
  problem.caret = problem.column - 1 - first;
}

}  // namespace

std::string Problem::text() const {
  if (line == 0) return fmt::format("{}: {}", file, message);
  return fmt::format("{}:{}:{}: {}", file, line, column, message);
}

std::string Problem::excerpt() const {
  if (line_part.empty()) return {};
  return fmt::format("{:5} | {}\n      | {:{}}^\n", line, line_part, "", caret);
}

void Problems::add(const Mark& mark, std::string message) {
  for (char& c : message)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  if (message.size() > longest_message) {
    std::size_t end = longest_message;
    while (continues_character(message[end])) --end;
    message.resize(end);
    message += "...";
  }
  found_.push_back({mark, std::move(message)});
}

std::vector<Problem> Problems::in_file_order(const std::string& file, std::string_view text,
                                             const std::vector<std::string>& overrides) const {
  std::vector<Found> sorted = found_;
  const auto place = [](const Found& f) { return std::tuple(f.mark.source, f.mark.line, f.mark.column); };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Found& a, const Found& b) { return place(a) < place(b); });
  const auto lines = split_lines(text);
  std::vector<Problem> problems;
  std::set<std::tuple<int, int, int, std::string>> told;
  for (const Found& found : sorted) {
    if (!told.insert(std::tuple_cat(place(found), std::tuple(found.message))).second) continue;
    if (problems.size() == most_problems) continue;
    Problem problem;
    problem.message = found.message;
    if (found.mark.source == 0) {
      problem.file = file;
      problem.line = found.mark.line;
      problem.column = found.mark.column;
      if (found.mark.line >= 1 && found.mark.line <= static_cast<int>(lines.size())) {
        const std::string_view line = lines[found.mark.line - 1];
        const auto before = line.substr(0, std::min<std::size_t>(line.size(), std::max(0, found.mark.column - 1)));
        problem.column = found.mark.column - static_cast<int>(before.size()) + characters(before);
        take_excerpt(line, problem);
      }
    } else {
      problem.file = overrides[found.mark.source - 1];
    }
    problems.push_back(std::move(problem));
  }
  if (told.size() > problems.size()) {
    Problem rest;
    rest.file = file;
    rest.message = fmt::format("and {} more problems", told.size() - problems.size());
    problems.push_back(std::move(rest));
  }
  return problems;
}

}  // namespace toposim::sim
