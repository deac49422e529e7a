#include "analysis/compare/result_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "analysis/number_text.hpp"

namespace toposim::analysis {
namespace {

using nlohmann::json;

// A file of the largest size can hold more nesting, values and paths than fit in memory.
constexpr JsonFileKind results_file{"results.json", 64, 64, 2'000'000};
constexpr std::size_t longest_key = 1000, most_path_bytes = std::size_t{256} << 20;
constexpr const char* identities[] = {"name", "faults", "scheme", "step", "steps", "seed"};

std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_unsigned()) return fmt::format("{}", value.get<std::uint64_t>());
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  return value.is_number() ? number_text(value.get<double>()) : "null";
}

/// "transient_5/shrink/200"; empty where nothing names it.
std::string identity(const json& element) {
  std::string text;
  if (!element.is_object()) return text;
  for (const char* key : identities) {
    const auto found = element.find(key);
    if (found == element.end() || found->is_structured() || found->is_null()) continue;
    if (!text.empty()) text += '/';
    text += text_of(*found);
  }
  return text;
}

/// Of each element, or empty where they do not tell all of them apart.
std::vector<std::string> identities_of(const json& list) {
  std::vector<std::string> names;
  std::set<std::string> distinct;
  for (const json& element : list) {
    names.push_back(identity(element));
    if (names.back().empty() || names.back().size() > longest_key || !distinct.insert(names.back()).second) return {};
  }
  return names;
}

class Flattener {
 public:
  explicit Flattener(ResultTree& tree) : tree_(tree) {}

  void add(const json& node, const std::string& path) {
    if (node.is_object())
      add_object(node, path);
    else if (node.is_array())
      add_list(node, path);
    else
      add_leaf(node, path);
  }

 private:
  void add_object(const json& node, const std::string& path) {
    for (const auto& [key, value] : node.items()) {
      if (key.size() > longest_key)
        refuse_file(tree_.file, fmt::format("a key of {} bytes; no results.json", key.size()));
      add(value, path.empty() ? key : path + "." + key);
    }
    const auto number = [&](const char* key) {
      const auto found = node.find(key);
      return found != node.end() && found->is_number() ? found->get<double>() : std::nan("");
    };
    const double n = number("n"), mean = number("mean"), sd = number("sd");
    // Beyond 2^53 counts are no longer whole.
    if (n >= 2 && n <= 9e15 && std::isfinite(mean) && sd >= 0 && std::isfinite(sd))
      tree_.samples.emplace(path, Sample{static_cast<std::int64_t>(n), mean, sd});
  }

  void add_list(const json& node, const std::string& path) {
    const std::vector<std::string> names = identities_of(node);
    for (std::size_t i = 0; i < node.size(); ++i)
      add(node[i], names.empty() ? fmt::format("{}[{}]", path, i) : path + "." + names[i]);
  }

  void add_leaf(const json& node, std::string path) {
    path_bytes_ += path.size();
    if (path_bytes_ > most_path_bytes)
      refuse_file(tree_.file, "its keys take more than 256 MiB once written in full; no results.json");
    ResultLeaf leaf;
    if (node.is_number()) {
      leaf.kind = ResultLeaf::Kind::number;
      leaf.number = node.get<double>();
    } else if (!node.is_null()) {
      leaf.kind = ResultLeaf::Kind::text;
      leaf.text = text_of(node);
    }
    // Keys may hold dots: the second of two values with one path is not lost.
    while (!tree_.leaves.emplace(path, leaf).second) path += "'";
  }

  ResultTree& tree_;
  std::size_t path_bytes_ = 0;
};

std::string text_at(const ResultTree& tree, const std::string& path) {
  const auto found = tree.leaves.find(path);
  return found == tree.leaves.end() ? std::string() : found->second.text;
}

}  // namespace

ResultTree parse_result_tree(std::string_view text, const std::string& file_name) {
  ResultTree tree;
  tree.file = file_name;
  const json document = parse_json_file(text, file_name, results_file);
  if (!document.is_object()) refuse_file(file_name, "the JSON in it is no object; no results.json");
  Flattener(tree).add(document, "");
  tree.kind = text_at(tree, "kind");
  tree.scenario = text_at(tree, "scenario.name");
  tree.hash = text_at(tree, "scenario.hash");
  tree.digest = text_at(tree, "digest");
  const auto seed = document.find("seed");
  if (seed != document.end() && seed->is_number()) tree.seed = text_of(*seed);
  if (!tree.leaves.contains("schema_version") || tree.digest.empty())
    refuse_file(file_name, "it has no schema_version or no digest; no results.json of toposim");
  return tree;
}

ResultTree read_result_tree(const std::filesystem::path& path) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  const std::filesystem::path file = folder ? path / "results.json" : path;
  if (!std::filesystem::exists(file, ignored))
    refuse_file(file.string(), folder ? "there is no such file; toposim SCENARIO --out DIR writes one"
                                      : "there is no such file or folder");
  return parse_result_tree(read_json_file(file, results_file), file.string());
}

}  // namespace toposim::analysis
