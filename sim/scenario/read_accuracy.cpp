// The sections of `study: accuracy`: recorded, faults, schemes, compensation, gradient, run; read_training.cpp has
// those of what is trained.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "kernels/estimators/estimator.hpp"
#include "sim/scenario/list_readers.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

using emulator::FaultPattern;
using emulator::Redeal;

constexpr std::size_t most_cases = 32, most_schemes = 32;
constexpr std::pair<std::string_view, Redeal> redeal_words[] = {
    {"none", Redeal::none}, {"domain", Redeal::domain}, {"job", Redeal::job}};
constexpr std::pair<std::string_view, FaultPattern> pattern_words[] = {
    {"transient", FaultPattern::transient}, {"permanent", FaultPattern::permanent},
    {"skewed", FaultPattern::skewed},       {"domain", FaultPattern::domain},
    {"slow", FaultPattern::slow},           {"timeline", FaultPattern::timeline}};

/// All that a recording leaves to be said.
void read_recorded(Section& root, accuracy::AccuracySpec& study) {
  Section section = root.section("recorded");
  section.require({{"path", "the folder of a recording, or its index"}});
  section.text(study.recorded.path, "path");
  whole(section, study.recorded.batch, "batch", 1, 1 << 30);
  section.finish();
  root.refuse({"training", "correction"}, "not used with recorded gradients, on which nothing is trained; remove it");
  Section placement = root.section("placement");
  placement.refuse({"sharing", "embeddings", "dims", "slack", "temperature", "samples_max", "global_mix"},
                   "not used with recorded gradients, whose data were placed when they were recorded; remove it");
  whole(placement, study.placement.domain_size, "domain_size", 2, 16'384);
  placement.finish();
  study.seeds = 0;
}

/// A list of mappings or words; `read` gets each as a mapping in which a bare word is the value of `word_key`.
template <class T, class Read>
void read_list(const YamlEntry& entry, Problems& problems, std::string_view word_key, std::size_t most,
               std::string_view expected, std::vector<T>& out, const Read& read) {
  const YamlNode& list = entry.value;
  if (list.kind != YamlNode::Kind::list || list.items.empty() || list.items.size() > most)
    return problems.add(list.mark, fmt::format("{}: expected a list of 1 to {} {}, got {}", entry.key, most, expected,
                                               list.kind != YamlNode::Kind::list ? describe(list)
                                               : list.items.empty()              ? "an empty list"
                                                                    : fmt::format("{} entries", list.items.size())));
  std::map<std::string, std::size_t> first_of_name;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    YamlNode item = list.items[i];
    if (item.kind != YamlNode::Kind::map) {
      YamlNode mapping;
      mapping.kind = YamlNode::Kind::map;
      mapping.mark = item.mark;
      mapping.entries.push_back({std::string(word_key), item.mark, item});
      item = std::move(mapping);
    }
    const std::string path = fmt::format("{}[{}]", entry.key, i);
    Section section(&item, path, item.mark, problems);
    T made;
    if (!read(section, made)) continue;
    const auto [first, is_new] = first_of_name.emplace(made.name, i);
    if (!is_new)
      problems.add(item.mark, fmt::format("{}: its name, {}, is that of {}[{}] already; give it a name of its own",
                                          path, in_quotes(made.name), entry.key, first->second));
    out.push_back(std::move(made));
  }
}

bool read_fault_case(Section& section, accuracy::FaultCaseSpec& made) {
  section.require({{"pattern", "transient, permanent, skewed, domain, slow or timeline"}});
  if (!section.choice<FaultPattern>(made.faults.pattern, "pattern", pattern_words)) {
    for (const char* key : {"share", "per_domain", "from", "redeal", "file", "scheme", "name"}) section.find(key);
    return false;
  }
  std::string_view pattern;
  for (const auto& [word, value] : pattern_words)
    if (value == made.faults.pattern) pattern = word;
  made.name = pattern;
  const bool timeline = made.faults.pattern == FaultPattern::timeline;
  if (timeline) {
    section.require({{"file", "the timeline.csv of a lifecycle study"}});
    section.text(made.timeline, "file");
    section.text(made.timeline_scheme, "scheme");
    section.refuse({"share"}, "not used by timeline, which says who is missing; remove it");
  } else {
    section.refuse({"file", "scheme"}, fmt::format("not used by {}; timeline takes it", pattern));
  }
  if (made.faults.pattern == FaultPattern::domain) {
    section.refuse({"share"}, "not used by domain, which loses one domain whole; remove it");
  } else if (!timeline) {
    section.require({{"share", "of all workers, such as 5%"}});
    if (section.share(made.faults.share, "share", {0, 0.95, true}))
      made.name = fmt::format("{}_{:g}", pattern, 100 * made.faults.share);
  }
  if (made.faults.pattern == FaultPattern::skewed)
    whole(section, made.faults.per_domain, "per_domain", 1, 16'384);
  else
    section.refuse({"per_domain"}, fmt::format("not used by {}; skewed takes it", pattern));
  if (made.faults.pattern == FaultPattern::transient || timeline)
    section.refuse({"from"}, fmt::format("not used by {}, which is there from the start; remove it", pattern));
  else
    section.share(made.from, "from", {0, 0.99});
  if (emulator::lasting(made.faults.pattern))
    section.choice<Redeal>(made.redeal, "redeal", redeal_words);
  else
    section.refuse({"redeal"}, fmt::format("not used by {}, whose workers come back; remove it", pattern));
  read_name(section, "name", made.name);
  if (made.name == "none") section.complain("name", "'none' is the name of the fault-free case; give it another");
  section.finish();
  return true;
}

bool read_accuracy_scheme(Section& section, accuracy::SchemeSpec& scheme) {
  section.require({{"estimator", "what stands in for a lost gradient, such as shrink"}});
  std::vector<std::pair<std::string_view, std::string_view>> words;
  for (const estimators::EstimatorKind& kind : estimators::estimators()) words.emplace_back(kind.name, kind.name);
  std::string_view estimator;
  const bool known = section.choice<std::string_view>(estimator, "estimator", words);
  if (known) scheme.estimator = scheme.name = estimator;
  section.share(scheme.domain_threshold, "domain_threshold", up_to_one);
  section.flag(scheme.int8, "int8");
  if (scheme.int8) scheme.name += "_int8";
  read_name(section, "name", scheme.name);
  if (scheme.name == "fault_free")
    section.complain("name", "'fault_free' is the name of the run without faults; give it another");
  section.finish();
  return known;
}

void read_compensation(Section& section, accuracy::AccuracySpec& study, double& domain_threshold) {
  section.share(domain_threshold, "domain_threshold", up_to_one);
  if (section.has("sketch_width")) {
    whole(section, study.sketch_width, "sketch_width", 64, 4096);
    if (study.sketch_width % 64 != 0)
      section.complain("sketch_width",
                       fmt::format("expected a multiple of 64 from 64 to 4096, got {}", study.sketch_width));
  }
  section.finish();
}

void read_gradient(Section& section, accuracy::GradientSpec& gradient) {
  read_shares(section, gradient.at, "at", 0, 1, "[0%, 50%, 100%]");
  whole(section, gradient.draws, "draws", 0, 1'000'000);
  section.finish();
}

void read_accuracy_run(Section& section, accuracy::AccuracySpec& study) {
  section.refuse({"duration", "replicas", "target_precision", "fidelity", "cross_check_states"},
                 "not used by study: accuracy; remove it");
  if (!study.recorded.path.empty())
    section.refuse({"seeds"}, "not used with recorded gradients, on which nothing is trained; remove it");
  whole(section, study.seed, "seed", 0, std::numeric_limits<std::int64_t>::max() - 1'000'000);
  if (study.recorded.path.empty()) whole(section, study.seeds, "seeds", 0, 10'000);
  section.finish();
}

/// What the sections say together.
void check_together(Section& root, const accuracy::AccuracySpec& study) {
  if (!study.recorded.path.empty()) return;  // how many workers there are is in the recording
  if (study.placement.domain_size > study.training.workers)
    root.complain("placement", fmt::format("domains of {} workers, and training.workers is {}; give domain_size a "
                                           "smaller one",
                                           study.placement.domain_size, study.training.workers));
  else
    for (const accuracy::FaultCaseSpec& faults : study.faults) {
      try {
        [[maybe_unused]] const emulator::StepFaults possible(
            faults.faults, accuracy::worker_domains(study.training.workers, study.placement.domain_size));
        if (faults.faults.pattern != FaultPattern::transient && faults.faults.pattern != FaultPattern::domain &&
            faults.faults.pattern != FaultPattern::timeline && faults.faults.share * study.training.workers < 0.5)
          root.complain("faults", fmt::format("{}: {:g} % of {} workers are none; raise its share", faults.name,
                                              100 * faults.faults.share, study.training.workers));
      } catch (const std::invalid_argument& error) {
        const std::string_view what = error.what();  // after "step faults: "
        root.complain("faults", fmt::format("{}: {}", faults.name, what.substr(what.find(": ") + 2)));
      }
    }
  if (study.training.clip_norm > 0 && study.correction.copies == emulator::Copies::per_domain)
    root.complain("correction", "copies: per_domain has no common gradient for training.clip_norm to clip; remove one");
  if (study.seeds == 0 && study.gradient.draws == 0)
    root.complain("run", "seeds is 0 and gradient.draws is 0: nothing is left to measure");
}

}  // namespace

bool read_accuracy(Section& root, accuracy::AccuracySpec& study) {
  Problems& problems = root.problems();
  const bool recorded = root.has("recorded");
  if (!recorded) root.require({{"training", "the workload, its workers and steps; or give recorded gradients"}});
  root.require(
      {{"faults", "none, or a list of cases: pattern (transient, permanent, skewed, domain, slow, timeline) and share"},
       {"schemes", "a list of estimators"}});
  root.refuse({"cluster", "job", "domains", "recovery", "checkpoint"},
              "has no place in study: accuracy; remove it, or write study: lifecycle");
  const std::size_t before = problems.count();
  if (recorded) {
    read_recorded(root, study);
  } else {
    Section training = root.section("training");
    read_training(training, study.training);
    Section placement = root.section("placement");
    read_placement(placement, study.placement);
    Section correction = root.section("correction");
    read_correction(correction, study.correction);
  }
  double domain_threshold = 0.25;
  Section compensation = root.section("compensation");
  read_compensation(compensation, study, domain_threshold);
  const std::size_t before_names = problems.count();
  const YamlEntry* faults = root.find("faults");
  const bool no_faults =
      faults != nullptr && faults->value.kind == YamlNode::Kind::scalar && faults->value.text == "none";
  if (faults != nullptr && !no_faults)
    read_list<accuracy::FaultCaseSpec>(*faults, problems, "pattern", most_cases,
                                       "cases, each a mapping with pattern and share", study.faults, read_fault_case);
  if (const YamlEntry* schemes = root.find("schemes"))
    read_list<accuracy::SchemeSpec>(*schemes, problems, "estimator", most_schemes,
                                    "estimators, each a word or a mapping with estimator", study.schemes,
                                    [&](Section& section, accuracy::SchemeSpec& scheme) {
                                      scheme.domain_threshold = domain_threshold;
                                      return read_accuracy_scheme(section, scheme);
                                    });
  const bool schemes_ok = problems.count() == before_names;
  // The baseline beside everything, asked for or not.
  if (std::none_of(study.schemes.begin(), study.schemes.end(),
                   [](const accuracy::SchemeSpec& scheme) { return scheme.estimator == "drop" && !scheme.int8; }) &&
      std::none_of(study.schemes.begin(), study.schemes.end(),
                   [](const accuracy::SchemeSpec& scheme) { return scheme.name == "drop"; }))
    study.schemes.insert(study.schemes.begin(), {"drop", "drop", domain_threshold, false});
  Section gradient = root.section("gradient");
  read_gradient(gradient, study.gradient);
  Section run = root.section("run");
  read_accuracy_run(run, study);
  if (problems.count() == before) check_together(root, study);
  return schemes_ok;
}

}  // namespace toposim::sim
