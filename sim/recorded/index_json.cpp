#include "sim/recorded/index_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

namespace toposim::recorded {
namespace {

using nlohmann::json;

constexpr std::size_t depth_max = 4;  // {"steps": [{"files": []}]}

[[noreturn]] void refuse(std::string_view text, std::size_t byte, const std::string& path, const std::string& what) {
  const std::string_view before = text.substr(0, byte);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = 1 + (start == std::string_view::npos ? before.size() : before.size() - start - 1);
  throw RecordedError(fmt::format("{}:{}:{}: byte {}: {}", path, line, column, before.size(), what));
}

}  // namespace

json parse_index_json(std::string_view text, const std::string& path) {
  std::vector<std::set<std::string>> keys;  // of the objects and arrays around
  const auto look = [&](int, json::parse_event_t event, json& value) {
    switch (event) {
      case json::parse_event_t::object_start:
      case json::parse_event_t::array_start:
        if (keys.size() == depth_max) {
          throw RecordedError(fmt::format("{}: nested deeper than an index is; see the format's description", path));
        }
        keys.emplace_back();
        break;
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end:
        keys.pop_back();
        break;
      case json::parse_event_t::key:
        if (!keys.back().insert(value.get<std::string>()).second) {
          throw RecordedError(
              fmt::format("{}: an object has the key '{}' twice; remove one", path, shown(value.get<std::string>())));
        }
        break;
      case json::parse_event_t::value:
        break;
    }
    return true;
  };
  try {
    return json::parse(text.begin(), text.end(), look);
  } catch (const json::parse_error& error) {
    // The parser counts the byte it stumbled over, from 1.
    refuse(text, error.byte == 0 ? 0 : error.byte - 1, path, "not JSON from here on; write it with a JSON library");
  } catch (const json::out_of_range&) {
    throw RecordedError(fmt::format("{}: a number beyond all bounds; write it again", path));
  }
}

bool IndexReader::object(const json& value, const std::string& where, std::initializer_list<std::string_view> known) {
  if (!value.is_object()) {
    problem(where, "not an object {...}");
    return false;
  }
  for (const auto& [key, ignored] : value.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      problem(where, fmt::format("unknown key '{}'; there are {}", shown(key), fmt::join(known, ", ")));
    }
  }
  return true;
}

const json* IndexReader::array(const json& parent, const char* key, const std::string& where) {
  const auto found = parent.find(key);
  if (found == parent.end()) {
    problem(where, fmt::format("no '{}'; add the array", key));
  } else if (!found->is_array() || found->empty()) {
    problem(where + "." + key, "not an array [...] with at least one entry");
  } else {
    return &*found;
  }
  return nullptr;
}

std::uint64_t IndexReader::number(const json& parent, const char* key, const std::string& where, std::uint64_t most) {
  const auto found = parent.find(key);
  if (found == parent.end()) {
    problem(where, fmt::format("no '{}'; give a whole number", key));
    return 0;
  }
  const std::uint64_t value = found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  if (value >= 1 && value <= most) return value;
  problem(where + "." + key, fmt::format("not a whole number from 1 to {}", most));
  return 0;
}

std::string IndexReader::text(const json& value, const std::string& where) {
  std::string result = value.is_string() ? value.get<std::string>() : "";
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (!result.empty() && std::ranges::none_of(result, control)) return result;
  problem(where, "not a text of at least one character and no control characters");
  return "";
}

std::string IndexReader::relative_path(const json& value, const std::string& where) {
  const std::string name = text(value, where);
  if (name.empty()) return "";
  const std::filesystem::path path(name);
  if (path.is_absolute() || std::ranges::find(path, "..") != path.end()) {
    problem(where, fmt::format("'{}' leads out of the folder of the index, which is refused so that a recording is one "
                               "folder; give a path below it (a link there may lead elsewhere)",
                               shown(name)));
    return "";
  }
  return path.lexically_normal().string();
}

}  // namespace toposim::recorded
