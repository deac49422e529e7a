#pragma once
#include <cstddef>
#include <string_view>

namespace toposim::recorded {

/// Names part by part (parts are separated by dots), digits by the number they make: layers.2.bias < layers.10.bias.
/// Names that share their first parts are neighbours in this order.
bool name_before(std::string_view a, std::string_view b);

/// The first `parts` parts of a name; all of it where it has no more.
std::string_view first_parts(std::string_view name, std::size_t parts);

/// Whether `name` is `pattern`, where each * stands for any text, also none.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace toposim::recorded
