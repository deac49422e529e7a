#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/estimators/estimator.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

constexpr std::size_t most_schemes = 32;
constexpr std::pair<std::string_view, SchemeKind> scheme_kind_words[] = {
    {"checkpoint_restart", SchemeKind::checkpoint_restart},
    {"drop_replica", SchemeKind::drop_replica},
    {"compensate", SchemeKind::compensate}};
constexpr std::pair<std::string_view, CheckpointSpec::Write> write_words[] = {
    {"blocking", CheckpointSpec::Write::blocking}, {"asynchronous", CheckpointSpec::Write::asynchronous}};
constexpr std::pair<std::string_view, StatisticsSpec::LearningRate> learning_rate_words[] = {
    {"keep", StatisticsSpec::LearningRate::keep},
    {"linear", StatisticsSpec::LearningRate::linear},
    {"sqrt", StatisticsSpec::LearningRate::sqrt}};
constexpr std::pair<std::string_view, SchemeSpec::Threshold> threshold_words[] = {
    {"domain", SchemeSpec::Threshold::domain},
    {"job", SchemeSpec::Threshold::job},
    {"either", SchemeSpec::Threshold::either}};
std::string_view word_of(SchemeKind kind) {
  for (const auto& [word, value] : scheme_kind_words)
    if (value == kind) return word;
  return "";
}

void read_interval(Section& section, CheckpointSpec& checkpoint) {
  const YamlEntry* entry = section.find("interval");
  if (entry == nullptr) return;
  const bool word = entry->value.kind == YamlNode::Kind::scalar;
  if (word && entry->value.text == "young") {
    checkpoint.interval_rule = CheckpointSpec::Interval::young;
  } else if (word && entry->value.text == "daly") {
    checkpoint.interval_rule = CheckpointSpec::Interval::daly;
  } else if (word && !entry->value.text.empty() && !std::isalpha(static_cast<unsigned char>(entry->value.text[0]))) {
    if (section.quantity(checkpoint.interval_s, "interval", Dimension::time, time_above_zero))
      checkpoint.interval_rule = CheckpointSpec::Interval::fixed;
  } else {
    std::string near = word ? nearest(entry->value.text, {"young", "daly"}) : "";
    if (!near.empty()) near = fmt::format("; did you mean '{}'?", near);
    section.complain("interval", fmt::format("expected young, daly or {}, got {}{}", expected_quantity(Dimension::time),
                                             describe(entry->value), near));
  }
}

/// `faults` of a measurement: a name, or a list of names.
void read_fault_names(Section& section, std::vector<std::string>& out) {
  const YamlEntry* entry = section.find("faults");
  if (entry == nullptr) return;
  const YamlNode& value = entry->value;
  const auto is_name = [](const YamlNode& node) { return node.kind == YamlNode::Kind::scalar && !node.text.empty(); };
  if (is_name(value))
    out = {value.text};
  else if (value.kind == YamlNode::Kind::list && !value.items.empty() &&
           std::all_of(value.items.begin(), value.items.end(), is_name))
    for (const YamlNode& item : value.items) out.push_back(item.text);
  else
    section.complain("faults", fmt::format("expected fault cases of the accuracy study, such as permanent or "
                                           "[permanent_5, permanent_10], got {}",
                                           describe(value)));
}

/// A measurement in place of every assumption.
void read_measurement(Section& section, SchemeSpec& scheme) {
  section.text(scheme.statistics.accuracy, "accuracy");
  section.text(scheme.statistics.scheme, "scheme");
  read_fault_names(section, scheme.statistics.faults);
  section.refuse({"noise_scale_samples", "learning_rate", "estimation_penalty"},
                 "an assumption beside `accuracy`, the measurement that replaces it; remove one of the two");
  if (scheme.redistribute_batch)
    section.complain("accuracy",
                     "not used with redistribute_batch, where survivors do the whole batch and no progress "
                     "is lost; remove one of the two");
  section.finish();
}

void read_statistics(Section&& section, SchemeSpec& scheme) {
  if (section.has("accuracy")) return read_measurement(section, scheme);
  section.refuse({"scheme", "faults"}, "belongs to `accuracy`, the file of a measurement; name it, or remove this");
  section.number(scheme.statistics.noise_scale_samples, "noise_scale_samples", {0, 1e15});
  section.choice<StatisticsSpec::LearningRate>(scheme.statistics.learning_rate, "learning_rate", learning_rate_words);
  if (scheme.kind == SchemeKind::compensate)
    section.number(scheme.statistics.estimation_penalty, "estimation_penalty", {0, 100});
  else
    section.refuse({"estimation_penalty"}, "only compensate estimates; remove it here");
  section.finish();
}

void read_estimator(Section& section, SchemeSpec& scheme) {
  std::vector<std::pair<std::string_view, std::string_view>> words;
  for (const estimators::EstimatorKind& kind : estimators::estimators()) words.emplace_back(kind.name, kind.name);
  std::string_view estimator;
  if (section.choice<std::string_view>(estimator, "estimator", words)) scheme.estimator = estimator;
}

/// What drop_replica and compensate share.
void read_replica_keys(Section& section, SchemeSpec& scheme) {
  section.share(scheme.minimum_replicas, "minimum_replicas", up_to_one);
  section.flag(scheme.redistribute_batch, "redistribute_batch");
  section.flag(scheme.keep_step_in_flight, "keep_step_in_flight");
  section.quantity(scheme.step_overhead_s, "step_overhead", Dimension::time, time_range);
  section.quantity(scheme.rejoin_stall_s, "rejoin_stall", Dimension::time, time_range);
  read_statistics(section.section("statistics"), scheme);
}

void read_compensate_keys(Section& section, SchemeSpec& scheme) {
  read_estimator(section, scheme);
  section.share(scheme.domain_threshold, "domain_threshold", up_to_one);
  section.share(scheme.job_threshold, "job_threshold", up_to_one);
  section.choice<SchemeSpec::Threshold>(scheme.threshold, "threshold", threshold_words);
  section.whole(scheme.sketch_width, "sketch_width", 1, 1 << 20);
  using Threshold = SchemeSpec::Threshold;
  if (scheme.threshold == Threshold::domain && section.has("job_threshold"))
    section.complain("job_threshold", "not used with threshold: domain; remove it, or write threshold: job or either");
  if (scheme.threshold == Threshold::job && section.has("domain_threshold"))
    section.complain("domain_threshold",
                     "not used with threshold: job; remove it, or write threshold: domain or either");
}

SchemeSpec with_defaults(SchemeKind kind, const SchemeDefaults& defaults) {
  SchemeSpec scheme;
  scheme.name = word_of(kind);
  scheme.kind = kind;
  scheme.recovery = defaults.recovery;
  scheme.checkpoint = defaults.checkpoint;
  return scheme;
}

/// False where not even the kind is known.
bool read_scheme(Section& section, const SchemeDefaults& defaults, SchemeSpec& scheme) {
  SchemeKind kind{};
  section.require({{"scheme", "checkpoint_restart, drop_replica or compensate"}});
  if (!section.choice<SchemeKind>(kind, "scheme", scheme_kind_words)) return false;
  scheme = with_defaults(kind, defaults);
  read_name(section, "name", scheme.name);
  Section recovery = section.section("recovery");
  read_recovery(recovery, scheme.recovery);
  Section checkpoint = section.section("checkpoint");
  read_checkpoint(checkpoint, scheme.checkpoint);
  if (kind == SchemeKind::checkpoint_restart) {
    section.refuse({"minimum_replicas", "redistribute_batch", "keep_step_in_flight", "step_overhead", "rejoin_stall",
                    "statistics"},
                   "not used by checkpoint_restart, which never trains with replicas missing; drop_replica and "
                   "compensate take it");
  } else {
    read_replica_keys(section, scheme);
  }
  if (kind == SchemeKind::compensate)
    read_compensate_keys(section, scheme);
  else
    section.refuse({"estimator", "domain_threshold", "job_threshold", "threshold", "sketch_width"},
                   fmt::format("not used by {}; compensate takes it", word_of(kind)));
  section.finish();
  return true;
}

}  // namespace

void read_recovery(Section& section, RecoverySpec& recovery) {
  section.quantity(recovery.detect_s, "detect", Dimension::time, time_range);
  section.quantity(recovery.quorum_s, "quorum", Dimension::time, time_range);
  section.quantity(recovery.reallocate_s, "reallocate", Dimension::time, time_range);
  section.quantity(recovery.comm_init_s, "comm_init", Dimension::time, time_range);
  section.quantity(recovery.comm_init_per_rank_s, "comm_init_per_rank", Dimension::time, time_range);
  section.quantity(recovery.catch_up_s, "catch_up", Dimension::time, time_range);
  section.finish();
}

void read_checkpoint(Section& section, CheckpointSpec& checkpoint) {
  read_interval(section, checkpoint);
  if (checkpoint.interval_rule == CheckpointSpec::Interval::fixed)
    section.refuse({"mtti"}, "not used with a fixed interval; remove it, or write interval: young or daly");
  else
    section.quantity(checkpoint.mtti_s, "mtti", Dimension::time, time_above_zero);
  section.choice<CheckpointSpec::Write>(checkpoint.write, "write", write_words);
  if (checkpoint.write == CheckpointSpec::Write::asynchronous)
    section.quantity(checkpoint.snapshot_s, "snapshot", Dimension::time, time_range);
  else
    section.refuse({"snapshot"}, "a blocking write takes no snapshot; remove it, or write: asynchronous");
  section.quantity(checkpoint.write_s, "write_time", Dimension::time, time_range);
  section.quantity(checkpoint.load_s, "load_time", Dimension::time, time_range);
  section.finish();
}

void read_schemes(const YamlEntry& entry, Problems& problems, const SchemeDefaults& defaults,
                  std::vector<SchemeSpec>& schemes) {
  const YamlNode& list = entry.value;
  if (list.kind != YamlNode::Kind::list || list.items.empty() || list.items.size() > most_schemes) {
    problems.add(
        list.mark,
        fmt::format("schemes: expected a list of 1 to {} of checkpoint_restart, drop_replica and compensate, each "
                    "a word or a mapping with scheme, got {}",
                    most_schemes,
                    list.kind != YamlNode::Kind::list ? describe(list)
                    : list.items.empty()              ? "an empty list"
                                                      : fmt::format("{} entries", list.items.size())));
    return;
  }
  std::map<std::string, std::size_t> first_of_name;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const YamlNode& item = list.items[i];
    const std::string path = fmt::format("schemes[{}]", i);
    SchemeSpec scheme;
    if (item.kind == YamlNode::Kind::map) {
      Section section(&item, path, item.mark, problems);
      if (!read_scheme(section, defaults, scheme)) continue;
    } else {
      // A bare word: the scheme with its defaults.
      YamlNode mapping;
      mapping.kind = YamlNode::Kind::map;
      mapping.mark = item.mark;
      mapping.entries.push_back({"scheme", item.mark, item});
      Section section(&mapping, path, item.mark, problems);
      if (!read_scheme(section, defaults, scheme)) continue;
    }
    const auto [first, is_new] = first_of_name.emplace(scheme.name, i);
    if (!is_new)
      problems.add(item.mark, fmt::format("{}: its name, {}, is that of schemes[{}] already; give it a name of its own",
                                          path, in_quotes(scheme.name), first->second));
    schemes.push_back(std::move(scheme));
  }
}

}  // namespace toposim::sim
