#include "sim/scenario/overrides.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <variant>

#include "sim/scenario/did_you_mean.hpp"
#include "sim/scenario/load_text.hpp"

namespace toposim::sim {
namespace {

using Step = std::variant<std::string, std::size_t>;  ///< a key, or a place in a list

/// a.b[2].c as steps; nothing if it is not such a path.
std::optional<std::vector<Step>> split_path(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path[0] == '[') {
      std::size_t index = 0;
      const char* last = path.data() + path.size();
      const auto [end, error] = std::from_chars(path.data() + 1, last, index);
      if (error != std::errc() || end == last || *end != ']' || steps.empty()) return std::nullopt;
      steps.emplace_back(index);
      path.remove_prefix(static_cast<std::size_t>(end - path.data()) + 1);
    } else {
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      if (end == 0) return std::nullopt;
      steps.emplace_back(std::string(path.substr(0, end)));
      path.remove_prefix(end);
    }
    if (path.empty()) break;
    if (path[0] == '.') {
      path.remove_prefix(1);
      if (path.empty() || path[0] == '[') return std::nullopt;
    } else if (path[0] != '[') {
      return std::nullopt;
    }
  }
  if (steps.empty() || steps.size() >= static_cast<std::size_t>(deepest_nesting)) return std::nullopt;
  return steps;
}

/// The key that a bare word stands for where a mapping may be written instead; null where none may.
const char* key_of_word(const std::vector<Step>& steps, std::size_t depth) {
  if (depth == 2 && steps[0] == Step("schemes") && std::holds_alternative<std::size_t>(steps[1])) return "scheme";
  if (depth == 2 && steps[0] == Step("cluster") && steps[1] == Step("gpu")) return "extends";
  if (depth == 2 && steps[0] == Step("job") && steps[1] == Step("model")) return "extends";
  return nullptr;
}

void make_mapping(YamlNode& node, const char* key) {
  YamlNode word = std::move(node);
  node = {};
  node.kind = YamlNode::Kind::map;
  node.mark = word.mark;
  node.entries.push_back({key, word.mark, std::move(word)});
}

std::string name_of(const std::vector<Step>& steps, std::size_t depth) {
  std::string name;
  for (std::size_t i = 0; i < depth; ++i) {
    if (const auto* key = std::get_if<std::string>(&steps[i]))
      name += (name.empty() ? "" : ".") + *key;
    else
      name += fmt::format("[{}]", std::get<std::size_t>(steps[i]));
  }
  return name;
}

}  // namespace

void apply_override(YamlNode& root, const Override& change, int index, Problems& problems) {
  const Mark at{index + 1, 0, 0};
  const auto steps = split_path(change.path);
  if (!steps)
    return problems.add(at, fmt::format("{} is not a path; write one like run.seed or schemes[0].checkpoint.interval",
                                        in_quotes(change.path)));
  const auto text = clean_text(change.value, at.source, problems);
  if (!text) return;
  auto value = parse_yaml(*text, at.source, problems);
  if (!value) return;
  if (value->kind == YamlNode::Kind::null) value->mark = at;

  YamlNode* node = &root;
  for (std::size_t depth = 0; depth < steps->size(); ++depth) {
    const Step& step = (*steps)[depth];
    const std::string here = depth == 0 ? "the scenario" : name_of(*steps, depth);
    if (const auto* place = std::get_if<std::size_t>(&step)) {
      if (node->kind != YamlNode::Kind::list)
        return problems.add(at, fmt::format("{} is {}, not a list", here, describe(*node)));
      if (*place >= node->items.size())
        return problems.add(at, fmt::format("{} has {} entries, the last is {}[{}]", here, node->items.size(), here,
                                            static_cast<std::int64_t>(node->items.size()) - 1));
      node = &node->items[*place];
      continue;
    }
    const std::string& key = std::get<std::string>(step);
    const char* word_key = node->kind == YamlNode::Kind::scalar ? key_of_word(*steps, depth) : nullptr;
    if (word_key != nullptr) make_mapping(*node, word_key);
    if (node->kind == YamlNode::Kind::null) {
      node->kind = YamlNode::Kind::map;  // what it still lacks is the file's lack, not the override's
      node->mark = {};
    }
    if (node->kind == YamlNode::Kind::list)
      return problems.add(at, fmt::format("{} is a list; say which entry, such as {}[0].{}", here, here, key));
    if (node->kind != YamlNode::Kind::map)
      return problems.add(
          at, fmt::format("{} is {}, not a mapping, so it has no key {}", here, describe(*node), in_quotes(key)));
    YamlEntry* found = nullptr;
    for (YamlEntry& entry : node->entries)
      if (entry.key == key) found = &entry;
    if (found == nullptr) found = &node->entries.emplace_back(YamlEntry{key, at, {}});
    if (depth + 1 == steps->size()) found->mark = at;
    node = &found->value;
  }
  *node = std::move(*value);
}

}  // namespace toposim::sim
