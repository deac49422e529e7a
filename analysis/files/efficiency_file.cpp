#include "analysis/files/efficiency_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>

#include "analysis/files/efficiency_json.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

using nlohmann::json;

constexpr JsonFileKind efficiency_file{"accuracy.json", 16, 16, 500'000};
constexpr std::size_t longest_text = 1000;
constexpr double most_efficient = 1e6;
constexpr const char* remedy = "run the accuracy study again, which writes it whole";

/// An object of the file and where it is: "cells[3].statistical_efficiency".
class Node {
 public:
  Node(const json& object, std::string path, const std::string& file)
      : object_(object), path_(std::move(path)), file_(file) {
    if (!object.is_object()) refuse_file(file_, fmt::format("{}: expected an object; {}", name(), remedy));
  }

  const json& at(const char* key, const char* expected, bool (*is)(const json&)) const {
    const auto found = object_.find(key);
    if (found == object_.end()) wrong(key, fmt::format("missing; expected {}", expected));
    if (!is(*found)) wrong(key, fmt::format("expected {}, got a value of another kind", expected));
    return *found;
  }
  std::string text(const char* key) const {
    const auto& text = at(key, "a text", [](const json& v) { return v.is_string(); }).get_ref<const std::string&>();
    if (text.size() > longest_text) wrong(key, fmt::format("a text of {} bytes", text.size()));
    return text;
  }
  /// NaN for null.
  double number(const char* key) const {
    const json& v = at(key, "a number or null", [](const json& n) { return n.is_number() || n.is_null(); });
    return v.is_null() ? std::numeric_limits<double>::quiet_NaN() : v.get<double>();
  }
  const json& list(const char* key) const {
    return at(key, "a list", [](const json& v) { return v.is_array(); });
  }
  Node object(const char* key) const {
    return {at(key, "an object", [](const json& v) { return v.is_object(); }), path_of(key), file_};
  }
  std::vector<double> numbers(const char* key, std::size_t size) const {
    std::vector<double> values;
    for (const json& v : list(key)) {
      if (!v.is_number() && !v.is_null()) wrong(key, "expected numbers and nulls");
      values.push_back(v.is_null() ? std::numeric_limits<double>::quiet_NaN() : v.get<double>());
    }
    if (values.size() != size) wrong(key, fmt::format("{} values for {} seeds", values.size(), size));
    return values;
  }
  [[noreturn]] void wrong(const char* key, const std::string& what) const {
    refuse_file(file_, fmt::format("{}: {}; {}", path_of(key), what, remedy));
  }

 private:
  std::string name() const { return path_.empty() ? "the file" : path_; }
  std::string path_of(const char* key) const { return path_.empty() ? key : path_ + "." + key; }

  const json& object_;
  std::string path_;
  const std::string& file_;
};

/// What the file says of the values has to be what they say.
void check_summary(const Node& efficiency, const std::vector<double>& per_seed) {
  std::vector<double> known;
  for (const double v : per_seed)
    if (!std::isnan(v)) known.push_back(v);
  if (efficiency.number("n") != static_cast<double>(known.size()))
    efficiency.wrong("n", fmt::format("not the {} values that per_seed has", known.size()));
  const double mean = efficiency.number("mean");
  if (known.empty() ? !std::isnan(mean)
                    : !(std::abs(mean - summarise(std::span<const double>(known)).mean) <= 1e-9 * std::abs(mean)))
    efficiency.wrong("mean", "not the mean of per_seed");
}

MeasuredCell read_cell(const Node& node, std::size_t seeds) {
  MeasuredCell cell{node.text("faults"), node.text("scheme"), node.number("dead_share"), {}};
  if (!(cell.dead_share >= 0 && cell.dead_share <= 1)) node.wrong("dead_share", "expected a share from 0 to 1");
  const Node efficiency = node.object("statistical_efficiency");
  cell.per_seed = efficiency.numbers("per_seed", seeds);
  for (const double v : cell.per_seed)
    if (!std::isnan(v) && !(v > 0 && v <= most_efficient))
      efficiency.wrong("per_seed", fmt::format("an efficiency is above 0 and at most {}, got {}", most_efficient, v));
  check_summary(efficiency, cell.per_seed);
  return cell;
}

}  // namespace

MeasuredEfficiency parse_efficiency(std::string_view text, const std::string& file_name) {
  const json document = parse_json_file(text, file_name, efficiency_file);
  const Node root(document, "", file_name);
  if (root.text("kind") != "statistical_efficiency")
    refuse_file(
        file_name,
        fmt::format("kind: '{}', and not 'statistical_efficiency'; the file to name is the accuracy.json of a study: "
                    "accuracy with several training.budgets",
                    root.text("kind").substr(0, 40)));
  if (root.number("schema_version") != efficiency_schema_version)
    refuse_file(file_name,
                fmt::format("schema_version: this toposim reads version {}; run the accuracy study again with it",
                            efficiency_schema_version));
  MeasuredEfficiency made;
  made.file = file_name;
  made.measured_on = root.text("measured_on");
  made.digest = root.text("digest");
  for (auto [key, member] : {std::pair{"domain_size", &MeasuredEfficiency::domain_size},
                             {"batch_over_noise_scale", &MeasuredEfficiency::batch_over_noise_scale},
                             {"c_in", &MeasuredEfficiency::c_in},
                             {"c_out", &MeasuredEfficiency::c_out}})
    made.*member = root.number(key);
  made.seeds = root.list("seeds").size();
  std::set<std::pair<std::string, std::string>> distinct;
  for (const json& cell : root.list("cells")) {
    const std::string path = fmt::format("cells[{}]", made.cells.size());
    made.cells.push_back(read_cell(Node(cell, path, file_name), made.seeds));
    if (!distinct.emplace(made.cells.back().faults, made.cells.back().scheme).second)
      refuse_file(file_name, fmt::format("{}: {} under {} is there twice; {}", path, made.cells.back().scheme,
                                         made.cells.back().faults, remedy));
  }
  if (made.cells.empty())
    refuse_file(
        file_name,
        "cells: none, so no efficiency was measured; run the accuracy study with faults, several seeds and several "
        "training.budgets");
  return made;
}

MeasuredEfficiency read_efficiency(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    refuse_file(file.string(),
                "there is no such file; a study: accuracy with several training.budgets writes accuracy.json");
  return parse_efficiency(read_json_file(file, efficiency_file), file.string());
}

}  // namespace toposim::analysis
