#pragma once
// Reading the JSON tree of an index: values of the kind that is wanted, or a problem that names the place.
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/recorded/problems.hpp"

namespace toposim::recorded {

/// Throws RecordedError: `path`, byte, line and column of what is not JSON, of a key that an object has twice, or of
/// nesting deeper than an index is.
nlohmann::json parse_index_json(std::string_view text, const std::string& path);

class IndexReader {
 public:
  IndexReader(const std::string& path, Problems& problems) : path_(path), problems_(problems) {}

  void problem(const std::string& where, const std::string& what) { problems_.add(path_ + ": " + where + ": " + what); }
  /// False, and a problem, where `value` is no object; a problem for each key that is none of `known`.
  bool object(const nlohmann::json& value, const std::string& where, std::initializer_list<std::string_view> known);
  /// Null, and a problem, where there is no such array or it is empty.
  const nlohmann::json* array(const nlohmann::json& parent, const char* key, const std::string& where);
  /// 0, and a problem, where there is no whole number from 1 to `most`.
  std::uint64_t number(const nlohmann::json& parent, const char* key, const std::string& where, std::uint64_t most);
  /// Empty, and a problem, where this is not a text of at least one character, without control characters.
  std::string text(const nlohmann::json& value, const std::string& where);
  /// A path that stays in the folder; empty, and a problem, where it is none.
  std::string relative_path(const nlohmann::json& value, const std::string& where);
  bool full() const { return problems_.full(); }

 private:
  const std::string& path_;
  Problems& problems_;
};

}  // namespace toposim::recorded
