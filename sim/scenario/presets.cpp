#include "sim/scenario/presets.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "sim/scenario/embedded_presets.hpp"

namespace toposim::sim {
namespace {

/// Parsed once. The files are ours: a problem in one is a mistake in the program, found by its tests.
const std::map<std::string, YamlNode, std::less<>>& documents() {
  static const auto all = [] {
    std::map<std::string, YamlNode, std::less<>> parsed;
    for (const EmbeddedFile& file : embedded_presets()) {
      Problems problems;
      auto root = parse_yaml(file.text, 0, problems);
      if (!root || problems.count() > 0) {
        const auto found = problems.in_file_order(std::string(file.name), file.text, {});
        throw std::logic_error(found.front().text());
      }
      parsed.emplace(file.name, std::move(*root));
    }
    return parsed;
  }();
  return all;
}

const YamlNode* document(std::string_view name) {
  const auto found = documents().find(name);
  return found == documents().end() ? nullptr : &found->second;
}

}  // namespace

std::vector<std::string> preset_names(std::string_view file) {
  std::vector<std::string> names;
  if (const YamlNode* root = document(file); root != nullptr)
    for (const YamlEntry& entry : root->entries) names.push_back(entry.key);
  return names;
}

const YamlNode* find_preset(std::string_view file, std::string_view name) {
  const YamlNode* root = document(file);
  const YamlEntry* entry = root == nullptr ? nullptr : root->find(name);
  return entry == nullptr ? nullptr : &entry->value;
}

std::vector<std::string> preset_files(std::string_view folder) {
  std::vector<std::string> names;
  for (const auto& [name, root] : documents())
    if (name.starts_with(folder) && name.ends_with(".yaml"))
      names.push_back(name.substr(folder.size() + 1, name.size() - folder.size() - 1 - 5));
  return names;
}

const YamlNode* find_preset_file(std::string_view folder, std::string_view name) {
  return document(fmt::format("{}/{}.yaml", folder, name));
}

}  // namespace toposim::sim
