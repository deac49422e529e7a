#include "topology/import/import_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace toposim::topology {
namespace {

constexpr std::size_t most_shown = 20;
constexpr std::size_t longest_shown = 60;

}  // namespace

ImportError::ImportError(std::vector<std::string> problems)
    : TopologyError(fmt::format("{}", fmt::join(problems, "\n"))), problems_(std::move(problems)) {}

void FileProblems::add(std::uint32_t line, const std::string& what) {
  if (++count_ > most_shown) return;
  first_.push_back(line > 0 ? fmt::format("{}:{}: {}", file_, line, what) : fmt::format("{}: {}", file_, what));
}

void FileProblems::throw_if_any() const {
  if (none()) return;
  std::vector<std::string> problems = first_;
  if (count_ > most_shown)
    problems.push_back(
        fmt::format("{}: and {}{} more problems", file_, many() ? "at least " : "", count_ - most_shown));
  throw ImportError(std::move(problems));
}

std::string shown(std::string_view text) {
  std::string result(text.substr(0, longest_shown));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  return text.size() > longest_shown ? result + "..." : result;
}

}  // namespace toposim::topology
