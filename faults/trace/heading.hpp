#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "faults/trace/fields.hpp"

namespace toposim::faults {

/// The first line of a table with named columns; names are compared without case.
class Heading {
 public:
  static constexpr std::size_t absent = static_cast<std::size_t>(-1);

  /// Throws TraceError where a required column is missing or one is there twice.
  Heading(const std::string& file, const std::vector<Field>& names, std::initializer_list<std::string_view> required);

  /// The place of a column, or `absent`.
  std::size_t find(std::string_view name) const;
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
};

/// Without case, for comparing ASCII words.
std::string lower_case(std::string_view text);

}  // namespace toposim::faults
