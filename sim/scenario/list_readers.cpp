#include "sim/scenario/list_readers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace toposim::sim {
namespace {

constexpr std::size_t most_shares = 100;

}  // namespace

void read_shares(Section& section, std::vector<double>& out, std::string_view key, double least, double most,
                 std::string_view such_as) {
  const YamlEntry* entry = section.find(key);
  if (entry == nullptr) return;
  const YamlNode& list = entry->value;
  if (list.kind != YamlNode::Kind::list || list.items.empty() || list.items.size() > most_shares)
    return section.complain(key,
                            fmt::format("expected a list of 1 to {} shares, such as {}, got {}", most_shares, such_as,
                                        list.kind != YamlNode::Kind::list ? describe(list)
                                        : list.items.empty()              ? "an empty list"
                                                             : fmt::format("{} entries", list.items.size())));
  std::vector<double> values;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Parsed<double> parsed = parse_share(list.items[i]);
    std::string why_not = parsed.why_not;
    if (parsed.ok() && !(parsed.value >= least && parsed.value <= most))
      why_not = fmt::format("must be between {:g} % and {:g} %, got {}", 100 * least, 100 * most, list.items[i].text);
    if (!why_not.empty())
      section.problems().add(list.items[i].mark, fmt::format("{}[{}]: {}", section.path_of(key), i, why_not));
    values.push_back(parsed.value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  out = std::move(values);
}

}  // namespace toposim::sim
