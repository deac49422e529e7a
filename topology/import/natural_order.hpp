#pragma once
#include <string_view>

namespace toposim::topology {

/// node2 before node10: runs of digits compare as numbers. Equal only for equal texts.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace toposim::topology
