#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace toposim::faults {

/// Texts that many records share, numbered in the order in which they first came.
class Names {
 public:
  /// More names, or a longer one, than this is refused (TraceError): no cluster has them, a wrong column does.
  static constexpr std::size_t names_max = 2'000'000, bytes_max = 200;

  std::uint32_t number_of(std::string_view name);
  /// size() where it is not there.
  std::uint32_t find(std::string_view name) const;
  const std::string& operator[](std::uint32_t number) const { return names_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

}  // namespace toposim::faults
