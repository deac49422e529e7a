#include "sim/scenario/did_you_mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace toposim::sim {
namespace {

std::string lookup_form(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c == '-' ? '_' : c);
  return out;
}

/// Optimal string alignment distance: insert, delete, replace, swap of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view written, const std::vector<std::string>& candidates) {
  if (written.size() > 64) return {};
  const std::string mine = lookup_form(written);
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::string theirs = lookup_form(candidate);
    // The written word inside a candidate's, or the other way round, is a slip too: nodes_per_leaf, per_leaf.
    const bool inside = mine.size() >= 4 && theirs.size() >= 4 &&
                        (theirs.find(mine) != std::string::npos || mine.find(theirs) != std::string::npos);
    const std::size_t limit = std::max<std::size_t>(1, std::max(mine.size(), theirs.size()) / 3);
    std::size_t distance = edit_distance(mine, theirs);
    if (inside) distance = std::min(distance, limit);
    if (mine.empty() || distance > limit || (mine.size() <= 2 && distance > 0 && theirs.size() <= 2)) continue;
    if (best.empty() || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates) {
  const std::string near = nearest(written, candidates);
  if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
  return candidates.empty() ? std::string() : fmt::format("; it takes {}", list_words(candidates, "and"));
}

std::string list_words(const std::vector<std::string>& words, std::string_view last_joined_by) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? fmt::format(" {} ", last_joined_by) : ", ";
    out += words[i];
  }
  return out;
}

std::string in_quotes(std::string_view written) {
  std::string out = "'";
  std::size_t characters = 0;
  for (const char c : written) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80 && ++characters > 60) return out + "...'";
    out += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return out + "'";
}

}  // namespace toposim::sim
