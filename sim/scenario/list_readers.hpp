#pragma once
// Keys whose values are more than one number, or of a narrower type than a section reads.
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/scenario/section.hpp"

namespace toposim::sim {

template <class T>
void whole(Section& section, T& out, std::string_view key, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  if (section.whole(value, key, least, most)) out = static_cast<T>(value);
}

/// A list of shares from least to most; into `out` rising, each once.
void read_shares(Section& section, std::vector<double>& out, std::string_view key, double least, double most,
                 std::string_view such_as);

}  // namespace toposim::sim
