#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace toposim::sim {

/// The candidate nearest to what was written, by edit distance (a transposition counts one; case is ignored); empty if
/// none is near enough to be a slip of the pen: at most a third of its letters. Ties: the first.
std::string nearest(std::string_view written, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" or, with nothing near, "; it takes a, b, c".
std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates);

/// a, b or c
std::string list_words(const std::vector<std::string>& words, std::string_view last_joined_by = "or");

/// What a user wrote, for a message: in quotes, control characters as '?', cut at 60 characters.
std::string in_quotes(std::string_view written);

}  // namespace toposim::sim
