#pragma once
// A mapping of the scenario, read key by key. It records every key that is asked for: what was never asked for is
// unknown. Readers give the field to fill, which keeps its default where the key is absent or wrong; nothing throws.
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/did_you_mean.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/quantity.hpp"
#include "sim/scenario/yaml_tree.hpp"

namespace toposim::sim {

/// Least and most that a number may be, both included unless `above` says that the least is not.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;
};
inline constexpr Range positive{0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range not_negative{0};
inline constexpr Range up_to_one{0, 1};
inline constexpr Range part{0, 1, true};  ///< (0, 1]

class Section {
 public:
  /// node: the mapping; null: an absent or wrong one, in which nothing is present and nothing is unknown or missing.
  /// path: "cluster.fabric", empty for the whole file. at: where to point when a key is missing.
  Section(const YamlNode* node, std::string path, const Mark& at, Problems& problems);

  // Each returns whether the key is there with a usable value; `out` keeps its value otherwise.
  bool whole(std::int64_t& out, std::string_view key, std::int64_t least, std::int64_t most);
  bool number(double& out, std::string_view key, const Range& range);
  bool share(double& out, std::string_view key, const Range& range);
  bool quantity(double& out, std::string_view key, Dimension dimension, const Range& range);
  bool flag(bool& out, std::string_view key);
  bool text(std::string& out, std::string_view key);

  template <class E>
  bool choice(E& out, std::string_view key, std::span<const std::pair<std::string_view, E>> words) {
    const YamlEntry* entry = find(key);
    if (entry == nullptr) return false;
    std::vector<std::string> names;
    for (const auto& [word, value] : words) {
      if (is_word(entry->value, word)) {
        out = value;
        return true;
      }
      names.emplace_back(word);
    }
    wrong_word(*entry, names);
    return false;
  }

  /// The mapping under a key; an absent one where the key is. A value that is not a mapping is reported.
  Section section(std::string_view key);
  /// The entry under a key; null where there is none. For keys whose value takes more than one form.
  const YamlEntry* find(std::string_view key);
  bool has(std::string_view key) const { return node_ != nullptr && node_->find(key) != nullptr; }

  /// Reports keys that are missing; each with what it says.
  void require(std::initializer_list<std::pair<std::string_view, std::string_view>> keys);
  /// Reports each of these keys that is there: they have no place here, for the reason given. Not candidates of "did
  /// you mean".
  void refuse(std::initializer_list<std::string_view> keys, std::string_view reason);
  /// Reports the keys that nobody asked for. Last.
  void finish();

  /// A problem with the value of a key: "cluster.nodes: " and the message. At the section where the key is absent.
  void complain(std::string_view key, std::string message);
  std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  Mark mark_of(std::string_view key) const;
  const std::string& path() const { return path_; }
  const Mark& at() const { return at_; }
  bool present() const { return node_ != nullptr; }
  Problems& problems() { return *problems_; }
  const YamlNode* node() const { return node_; }

 private:
  static bool is_word(const YamlNode& node, std::string_view word);
  void wrong_word(const YamlEntry& entry, const std::vector<std::string>& names);
  bool in_range(double value, std::string_view key, const Range& range, std::string_view got,
                const Dimension* dimension);

  const YamlNode* node_;
  std::string path_;
  Mark at_;
  Problems* problems_;
  std::vector<std::string> asked_;
  std::set<std::string, std::less<>> refused_;
};

}  // namespace toposim::sim
