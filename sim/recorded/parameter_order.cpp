#include "sim/recorded/parameter_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "sim/recorded/limits.hpp"
#include "sim/recorded/tensor_names.hpp"

namespace toposim::recorded {
namespace {

// Where each tensor begins when they lie in this order; returns their sum.
std::uint64_t sum_up(std::vector<Tensor>& tensors, const std::string& reference) {
  std::uint64_t parameters = 0;
  for (Tensor& tensor : tensors) {
    tensor.begin = parameters;
    parameters += tensor.count;  // each is at most parameters_max
    if (parameters <= parameters_max) continue;
    throw RecordedError(fmt::format("{}: more than {} parameters; record a part of them", reference, parameters_max));
  }
  return parameters;
}

std::vector<Group> groups_by_name(const std::vector<Tensor>& tensors) {
  const auto cut = [&](std::size_t parts) {
    std::vector<Group> groups;
    for (const Tensor& tensor : tensors) {
      const std::string_view name = first_parts(tensor.name, parts);
      if (groups.empty() || groups.back().name != name) groups.push_back({std::string(name), tensor.begin, 0});
      groups.back().end = tensor.begin + tensor.count;
      if (groups.size() > own_groups_max) break;
    }
    return groups;
  };
  std::size_t most = 0;
  for (const Tensor& tensor : tensors) {
    most = std::max<std::size_t>(most, static_cast<std::size_t>(std::ranges::count(tensor.name, '.')));
  }
  // From the modules of the deepest tensors on upwards; with one part at least.
  for (std::size_t parts = std::max<std::size_t>(most, 1); parts > 0; --parts) {
    if (std::vector<Group> groups = cut(parts); groups.size() <= own_groups_max) return groups;
  }
  return {{"all", 0, tensors.back().begin + tensors.back().count}};
}

// Which group takes a tensor: that of the first text which is its name or a pattern of it.
class Rules {
 public:
  explicit Rules(const std::vector<GroupRule>& groups) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t t = 0; t < groups[g].tensors.size(); ++t) {
        const std::string& text = groups[g].tensors[t];
        const std::size_t rule = texts_.size();
        texts_.push_back({g, t, text, false});
        if (text.find('*') != std::string::npos) {
          patterns_.push_back(rule);
        } else {
          names_.emplace(text, rule);  // the first one stays
        }
      }
    }
  }

  std::optional<std::size_t> group_of(const std::string& tensor) {
    std::size_t taken = texts_.size();
    if (const auto exact = names_.find(tensor); exact != names_.end()) taken = exact->second;
    for (const std::size_t rule : patterns_) {
      if (rule > taken) break;
      if (matches(texts_[rule].text, tensor)) taken = rule;
    }
    if (taken == texts_.size()) return std::nullopt;
    texts_[taken].used = true;
    return texts_[taken].group;
  }

  void tell_unused(Problems& problems, const RecordedIndex& index) const {
    for (const Text& text : texts_) {
      if (text.used) continue;
      problems.add(fmt::format("{}: groups[{}].tensors[{}]: no tensor is left for '{}'; correct or remove it",
                               index.path, text.group, text.entry, shown(text.text)));
    }
  }

 private:
  struct Text {
    std::size_t group, entry;
    std::string_view text;
    bool used;
  };
  std::vector<Text> texts_;
  std::unordered_map<std::string_view, std::size_t> names_;
  std::vector<std::size_t> patterns_;
};

std::vector<std::size_t> groups_by_rule(const std::vector<Tensor>& tensors, const RecordedIndex& index) {
  Problems problems;
  std::vector<std::size_t> groups;
  Rules rules(index.groups);
  for (const Tensor& tensor : tensors) {
    const std::optional<std::size_t> group = rules.group_of(tensor.name);
    groups.push_back(group.value_or(0));
    if (!group) {
      problems.add(fmt::format("{}: groups: tensor '{}' is in none; name it, or add a last group with \"*\"",
                               index.path, shown(tensor.name)));
    }
  }
  rules.tell_unused(problems, index);
  problems.throw_any();
  return groups;
}

// Sorts tensors by group, keeping their order within each.
std::vector<Group> sort_into_groups(std::vector<Tensor>& tensors, const RecordedIndex& index,
                                    const std::string& reference) {
  const std::vector<std::size_t> group = groups_by_rule(tensors, index);
  std::vector<std::vector<Tensor>> members(index.groups.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) members[group[i]].push_back(std::move(tensors[i]));
  tensors.clear();
  for (std::vector<Tensor>& of_one : members) std::ranges::move(of_one, std::back_inserter(tensors));
  sum_up(tensors, reference);
  std::vector<Group> groups;
  std::size_t first = 0;
  for (std::size_t g = 0; g < members.size(); ++g) {
    const std::size_t last = first + members[g].size() - 1;  // a group without members was refused
    groups.push_back({index.groups[g].name, tensors[first].begin, tensors[last].begin + tensors[last].count});
    first = last + 1;
  }
  return groups;
}

std::vector<Group> groups_of_rows(const RecordedIndex& index, std::uint64_t parameters) {
  std::vector<Group> groups;
  std::uint64_t begin = 0;
  for (const GroupRule& rule : index.groups) {
    if (rule.parameters > parameters - begin) break;
    groups.push_back({rule.name, begin, begin + rule.parameters});
    begin += rule.parameters;
  }
  if (groups.size() == index.groups.size() && begin == parameters) return groups;
  throw RecordedError(
      fmt::format("{}: groups: their parameters do not add up to the {} of each row", index.path, parameters));
}

}  // namespace

ParameterOrder order_parameters(std::vector<Tensor> tensors, const RecordedIndex& index, const std::string& reference) {
  ParameterOrder order;
  order.reference = reference;
  for (const Tensor& tensor : tensors) {
    if (tensor.count != 0) continue;
    throw RecordedError(tensor.name.empty() ? fmt::format("{}: rows without numbers; record some", reference)
                                            : fmt::format("{}: tensor '{}' has no numbers; leave it out", reference,
                                                          shown(tensor.name)));
  }
  std::ranges::sort(tensors, name_before, &Tensor::name);
  order.parameters = sum_up(tensors, reference);

  const bool flat = tensors.size() == 1 && tensors.front().name.empty();
  const bool rules_of_rows = !index.groups.empty() && index.groups.front().tensors.empty();
  if (index.groups.empty()) {
    order.groups = flat ? std::vector<Group>{{"all", 0, order.parameters}} : groups_by_name(tensors);
  } else if (flat != rules_of_rows) {
    throw RecordedError(
        fmt::format("{}: groups: the files hold {}", index.path,
                    flat ? "flat rows without names of tensors; give each group's parameters (how many) instead"
                         : "named tensors; give each group's tensors (names) instead of parameters"));
  } else if (flat) {
    order.groups = groups_of_rows(index, order.parameters);
  } else {
    order.groups = sort_into_groups(tensors, index, reference);
  }
  order.tensors = std::move(tensors);
  for (std::size_t i = 0; i < order.tensors.size(); ++i) order.index_of.emplace(order.tensors[i].name, i);
  return order;
}

}  // namespace toposim::recorded
