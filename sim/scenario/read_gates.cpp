// `gates`: a list of METRIC.SCHEME[.STATISTIC] [@ WHERE] OP BOUND, one text each.
#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

using analysis::Gate;
using analysis::GateOp;

constexpr std::size_t most_gates = 1000, longest_gate = 500;
constexpr std::string_view form = "METRIC.SCHEME[.STATISTIC] [@ WHERE] OP BOUND, such as ettr.compensate.mean >= 95%";
constexpr std::pair<std::string_view, GateOp> operators[] = {
    {"<=", GateOp::at_most}, {"<", GateOp::below}, {">=", GateOp::at_least}, {">", GateOp::above}};

std::vector<std::string> statistic_names() {
  std::vector<std::string> names;
  for (const auto& [name, statistic] : analysis::gate_statistics) names.emplace_back(name);
  return names;
}

bool is_name(std::string_view text, std::string_view also) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || also.find(c) != also.npos;
  });
}

std::string_view trimmed(std::string_view part) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!part.empty() && is_blank(part.front())) part.remove_prefix(1);
  while (!part.empty() && is_blank(part.back())) part.remove_suffix(1);
  return part;
}

/// One line of the list, and where in it a problem is.
class GateLine {
 public:
  GateLine(const YamlNode& node, std::string path, Problems& problems)
      : node_(node), path_(std::move(path)), problems_(problems) {}

  bool read(Gate& gate, const GateNames& names) {
    const std::string_view text = node_.text;
    const std::size_t at = text.find_first_of("<>=!");
    if (at == text.npos) return complain(text, fmt::format("no <=, <, >= or > in it; a gate is {}", form));
    const std::size_t end = std::min(text.find_first_not_of("<>=!", at), text.size());
    const std::string_view op = text.substr(at, end - at);
    const auto* known =
        std::find_if(std::begin(operators), std::end(operators), [&](const auto& one) { return one.first == op; });
    if (known == std::end(operators))
      return complain(op, fmt::format("expected <=, <, >= or >, got {}", in_quotes(op)));
    gate.op = known->second;
    // Each part tells of its own mistakes.
    const bool subject_ok = read_subject(text.substr(0, at), gate, names);
    const bool bound_ok = read_bound(trimmed(text.substr(end)), gate);
    gate.text = fmt::format("{}{}{} {} {}", gate.subject, gate.where.empty() ? "" : " @ ", gate.where, op,
                            trimmed(text.substr(end)));
    gate.line = node_.mark.source == 0 ? node_.mark.line : 0;
    return subject_ok && bound_ok;
  }

 private:
  /// part: of the node's text. Always false.
  bool complain(std::string_view part, std::string_view message) {
    problems_.add(mark_of(part), fmt::format("{}: {}", path_, message));
    return false;
  }

  Mark mark_of(std::string_view part) const {
    Mark mark = node_.mark;
    // Quotes shift the text by one, and escapes or folded lines by who knows how much: then the gate as a whole.
    if (!node_.quoted) mark.column += static_cast<int>(part.data() - node_.text.data());
    return mark;
  }

  bool read_subject(std::string_view part, Gate& gate, const GateNames& names) {
    const std::size_t at = part.find('@');
    const std::string_view subject = trimmed(part.substr(0, at));
    const std::size_t dot = subject.find('.');
    if (!is_name(subject, "._-+") || dot == 0 || dot == subject.npos || dot + 1 == subject.size())
      return complain(
          subject.empty() ? part : subject,
          fmt::format("expected METRIC.SCHEME[.STATISTIC], such as ettr.compensate.mean, got {}", in_quotes(subject)));
    gate.subject = subject;
    if (at != part.npos) {
      const std::string_view where = trimmed(part.substr(at + 1));
      if (!is_name(where, "._-+@"))
        return complain(where.empty() ? part.substr(at) : where,
                        fmt::format("expected the name of a case of faults after '@', got {}", in_quotes(where)));
      gate.where = where;
      if (!check_case(where, names)) return false;
    }
    return check_scheme(subject, names.schemes);
  }

  /// "transient_5" or "transient_5@200".
  bool check_case(std::string_view where, const GateNames& names) {
    if (!names.has_cases)
      return complain(where, "a lifecycle study has no cases of faults; leave out '@' and what follows");
    const std::string_view name = where.substr(0, where.find('@'));
    if (names.cases.empty() || std::find(names.cases.begin(), names.cases.end(), name) != names.cases.end())
      return true;
    const std::string near = nearest(name, names.cases);
    return complain(
        name, near.empty()
                  ? fmt::format("no case of faults {}; there is {}", in_quotes(name), list_words(names.cases, "and"))
                  : fmt::format("no case of faults {}; did you mean '{}'?", in_quotes(name), near));
  }

  bool check_scheme(std::string_view subject, const std::vector<std::string>& schemes) {
    if (schemes.empty()) return true;
    // Names of schemes may hold dots: whether one fits is asked of each.
    std::string_view unknown_statistic;
    std::vector<std::string> meanings;
    for (const std::string& scheme : schemes) {
      const std::string inside = "." + scheme + ".";
      if (subject.ends_with("." + scheme)) meanings.push_back(fmt::format("the mean of {}", scheme));
      const std::size_t at = subject.rfind(inside);
      if (at == subject.npos) continue;
      const std::string_view statistic = subject.substr(at + inside.size());
      if (std::any_of(analysis::gate_statistics.begin(), analysis::gate_statistics.end(),
                      [&](const auto& one) { return one.first == statistic; }))
        meanings.push_back(fmt::format("the {} of {}", statistic, scheme));
      else
        unknown_statistic = statistic;
    }
    if (meanings.size() == 1) return true;
    if (meanings.size() > 1)
      return complain(subject, fmt::format("{} may be {}; give one of these schemes another name", in_quotes(subject),
                                           list_words(meanings)));
    if (!unknown_statistic.empty())
      return complain(unknown_statistic, fmt::format("no statistic {}{}", in_quotes(unknown_statistic),
                                                     did_you_mean(unknown_statistic, statistic_names())));
    std::string_view scheme = subject.substr(subject.find('.') + 1);
    for (const auto& [name, statistic] : analysis::gate_statistics)
      if (scheme.ends_with(fmt::format(".{}", name))) scheme.remove_suffix(name.size() + 1);
    const std::string near = nearest(scheme, schemes);
    return complain(
        scheme, near.empty() ? fmt::format("no scheme {}; there is {}", in_quotes(scheme), list_words(schemes, "and"))
                             : fmt::format("no scheme {}; did you mean '{}'?", in_quotes(scheme), near));
  }

  /// A metric whose name ends in _s is a duration, here as everywhere in results.
  bool read_bound(std::string_view bound, Gate& gate) {
    const std::string_view metric = std::string_view(gate.subject).substr(0, gate.subject.find('.'));
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.text = bound;
    if (metric.empty()) return false;  // told already
    Parsed<double> parsed;
    if (metric.ends_with("_s")) {
      parsed = parse_quantity(node, Dimension::time);
      gate.bound_unit = bound.substr(std::min(bound.find_last_of("0123456789. ") + 1, bound.size()));
      YamlNode one = node;
      one.text = "1" + gate.bound_unit;
      if (parsed.ok()) gate.unit_factor = parse_quantity(one, Dimension::time).value;
    } else if (bound.ends_with('%')) {
      parsed = parse_share(node);
      gate.bound_unit = "%";
      gate.unit_factor = 0.01;
    } else {
      parsed = parse_number(node);
      if (!parsed.ok() && parse_quantity(node, Dimension::time).ok())
        parsed.why_not += fmt::format("; {} is no duration (their names end in _s)", metric);
    }
    gate.bound = parsed.value;
    if (parsed.ok()) return true;
    return complain(bound, fmt::format("the bound: {}", parsed.why_not));
  }

  const YamlNode& node_;
  std::string path_;
  Problems& problems_;
};

}  // namespace

void read_gates(const YamlEntry& entry, Problems& problems, std::vector<Gate>& gates, const GateNames& names) {
  const YamlNode& list = entry.value;
  if (list.kind != YamlNode::Kind::list || list.items.size() > most_gates)
    return problems.add(
        list.mark,
        fmt::format("gates: expected a list of up to {} texts, each {}, got {}", most_gates, form,
                    list.kind != YamlNode::Kind::list ? describe(list) : fmt::format("{} entries", list.items.size())));
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const YamlNode& item = list.items[i];
    const std::string path = fmt::format("gates[{}]", i);
    if (item.kind != YamlNode::Kind::scalar || item.text.size() > longest_gate) {
      problems.add(item.mark, fmt::format("{}: expected {}, got {}", path, form,
                                          item.kind != YamlNode::Kind::scalar
                                              ? describe(item)
                                              : fmt::format("{} bytes of text", item.text.size())));
      continue;
    }
    Gate gate;
    if (GateLine(item, path, problems).read(gate, names)) gates.push_back(std::move(gate));
  }
}

}  // namespace toposim::sim
