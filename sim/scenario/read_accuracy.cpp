// The sections of `study: accuracy`: training, placement, faults, schemes, compensation, gradient, run.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

#include "kernels/estimators/estimator.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

using emulator::Copies;
using emulator::FaultPattern;
using emulator::Redeal;
using emulator::Sharing;
using workloads::OptimizerKind;

constexpr std::size_t most_cases = 32, most_schemes = 32, most_points = 100;
constexpr std::pair<std::string_view, OptimizerKind> optimizer_words[] = {
    {"adam", OptimizerKind::adam}, {"momentum_sgd", OptimizerKind::momentum_sgd}};
constexpr std::pair<std::string_view, Sharing> sharing_words[] = {{"shared", Sharing::shared},
                                                                  {"fixed", Sharing::fixed},
                                                                  {"subclustered", Sharing::subclustered},
                                                                  {"iid", Sharing::iid}};
constexpr std::pair<std::string_view, Redeal> redeal_words[] = {
    {"none", Redeal::none}, {"domain", Redeal::domain}, {"job", Redeal::job}};
constexpr std::pair<std::string_view, FaultPattern> pattern_words[] = {{"transient", FaultPattern::transient},
                                                                       {"permanent", FaultPattern::permanent},
                                                                       {"skewed", FaultPattern::skewed},
                                                                       {"domain", FaultPattern::domain},
                                                                       {"slow", FaultPattern::slow}};

constexpr std::pair<std::string_view, Copies> copies_words[] = {{"shared", Copies::shared},
                                                                {"per_domain", Copies::per_domain}};

template <class T>
void whole(Section& section, T& out, std::string_view key, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  if (section.whole(value, key, least, most)) out = static_cast<T>(value);
}

/// A list of shares, each within range.
void shares(Section& section, std::vector<double>& out, std::string_view key, double least, double most,
            std::string_view such_as) {
  const YamlEntry* entry = section.find(key);
  if (entry == nullptr) return;
  const YamlNode& list = entry->value;
  if (list.kind != YamlNode::Kind::list || list.items.empty() || list.items.size() > most_points)
    return section.complain(key,
                            fmt::format("expected a list of 1 to {} shares, such as {}, got {}", most_points, such_as,
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

void read_data(Section&& section, workloads::DataPaths& data) {
  section.text(data.fashion_mnist, "fashion_mnist");
  section.text(data.wordnet, "wordnet");
  section.finish();
}

void read_optimizer(Section& section, accuracy::TrainingSpec& training) {
  section.choice<OptimizerKind>(training.optimizer.kind, "optimizer", optimizer_words);
  if (training.optimizer.kind == OptimizerKind::momentum_sgd)
    section.number(training.optimizer.momentum, "momentum", {0, 0.9999});
  else
    section.refuse({"momentum"}, "not used by adam; remove it, or write optimizer: momentum_sgd");
  const bool rate = section.number(training.schedule.peak_rate, "learning_rate", {0, 1000, true});
  if (training.optimizer.kind == OptimizerKind::momentum_sgd && !rate && !section.has("learning_rate"))
    section.complain("learning_rate", "missing: momentum_sgd has no default; 0.1 suits the classifier");
  section.number(training.schedule.final_rate, "final_learning_rate", {0, 1000});
  if (training.schedule.final_rate > training.schedule.peak_rate)
    section.complain("final_learning_rate",
                     fmt::format("{:g} is above the learning rate, {:g}, that it comes down from",
                                 training.schedule.final_rate, training.schedule.peak_rate));
  section.number(training.clip_norm, "clip_norm", {0, 1e9, true});
  section.flag(training.normalise, "normalise");
  if (training.normalise && !(training.clip_norm > 0))
    section.complain("normalise", "to which length? give clip_norm, such as 1");
  whole(section, training.schedule.warmup_steps, "warmup_steps", 0, 1'000'000);
}

void read_training(Section& section, accuracy::TrainingSpec& training) {
  section.require({{"workload", "the model and its data: fashion-mlp, fashion-diffusion, wordnet-gpt or wordnet-moe"}});
  const std::vector<std::string> names = workloads::workload_names();
  std::vector<std::pair<std::string_view, std::string_view>> words;
  for (const std::string& name : names) words.emplace_back(name, name);
  std::string_view workload;
  if (section.choice<std::string_view>(workload, "workload", words)) training.workload = workload;
  read_data(section.section("data"), training.data);
  whole(section, training.workers, "workers", 2, 16'384);
  whole(section, training.batch, "batch", 1, 65'536);
  whole(section, training.steps, "steps", 1, 1'000'000);
  shares(section, training.budgets, "budgets", 0.01, 100, "[50%, 75%, 100%, 125%]");
  if (std::find(training.budgets.begin(), training.budgets.end(), 1.0) == training.budgets.end()) {
    training.budgets.push_back(1);
    std::sort(training.budgets.begin(), training.budgets.end());
  }
  read_optimizer(section, training);
  if (training.schedule.warmup_steps >= training.steps)
    section.complain("warmup_steps",
                     fmt::format("{} leave nothing of {} steps", training.schedule.warmup_steps, training.steps));
  whole(section, training.evaluate_every, "evaluate_every", 0, 1'000'000);
  whole(section, training.evaluation_samples, "evaluation_samples", 1, 1'000'000);
  section.finish();
}

void read_placement(Section& section, accuracy::PlacementSpec& placement) {
  whole(section, placement.domain_size, "domain_size", 2, 16'384);
  section.choice<Sharing>(placement.sharing, "sharing", sharing_words);
  if (placement.sharing == Sharing::iid) {
    section.refuse({"embeddings", "dims", "slack", "temperature", "samples_max", "global_mix"},
                   "not used with sharing: iid, where every worker draws from all samples; remove it, or write "
                   "sharing: shared");
    return section.finish();
  }
  std::string embeddings;
  if (section.text(embeddings, "embeddings")) {
    if (embeddings == "labels" || embeddings == "content") {
      placement.source =
          embeddings == "labels" ? accuracy::EmbeddingSource::labels : accuracy::EmbeddingSource::content;
    } else if (embeddings.ends_with(".npy")) {
      placement.source = accuracy::EmbeddingSource::file;
      placement.embeddings = embeddings;
    } else {
      section.complain("embeddings", fmt::format("expected content, labels or a .npy file with a row per training "
                                                 "sample, got {}{}",
                                                 quoted(embeddings), did_you_mean(embeddings, {"content", "labels"})));
    }
  }
  if (placement.source == accuracy::EmbeddingSource::content)
    whole(section, placement.dims, "dims", 1, 512);
  else
    section.refuse({"dims"}, "only used with embeddings: content; remove it");
  if (placement.source == accuracy::EmbeddingSource::labels) {
    section.refuse({"slack", "temperature", "samples_max"},
                   "not used with embeddings: labels, which fill domains exactly; remove it");
  } else {
    section.share(placement.slack, "slack", {0, 1});
    section.number(placement.temperature, "temperature", {0, 1000});
    whole(section, placement.samples_max, "samples_max", 1, 1'000'000'000);
  }
  section.share(placement.global_mix, "global_mix", up_to_one);
  section.finish();
}

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
                                          path, quoted(made.name), entry.key, first->second));
    out.push_back(std::move(made));
  }
}

bool read_fault_case(Section& section, accuracy::FaultCaseSpec& made) {
  section.require({{"pattern", "transient, permanent, skewed, domain or slow"}});
  if (!section.choice<FaultPattern>(made.faults.pattern, "pattern", pattern_words)) {
    for (const char* key : {"share", "per_domain", "from", "redeal", "name"}) section.find(key);
    return false;
  }
  std::string_view pattern;
  for (const auto& [word, value] : pattern_words)
    if (value == made.faults.pattern) pattern = word;
  made.name = pattern;
  if (made.faults.pattern == FaultPattern::domain) {
    section.refuse({"share"}, "not used by domain, which loses one domain whole; remove it");
  } else {
    section.require({{"share", "of all workers, such as 5%"}});
    if (section.share(made.faults.share, "share", {0, 0.95, true}))
      made.name = fmt::format("{}_{:g}", pattern, 100 * made.faults.share);
  }
  if (made.faults.pattern == FaultPattern::skewed)
    whole(section, made.faults.per_domain, "per_domain", 1, 16'384);
  else
    section.refuse({"per_domain"}, fmt::format("not used by {}; skewed takes it", pattern));
  if (made.faults.pattern == FaultPattern::transient)
    section.refuse({"from"}, "not used by transient, which goes on all the time; remove it");
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

void read_correction(Section& section, emulator::CorrectionSpec& correction) {
  if (!section.present()) return;
  section.require({{"beta", "share of a step along the domain's own gradient, such as 30%"}});
  section.share(correction.beta, "beta", up_to_one);
  section.choice<Copies>(correction.copies, "copies", copies_words);
  if (correction.copies == Copies::per_domain)
    whole(section, correction.average_every, "average_every", 0, 1'000'000);
  else
    section.refuse({"average_every"},
                   "there is nothing to average with copies: shared; remove it, or write copies: "
                   "per_domain");
  section.finish();
}

void read_gradient(Section& section, accuracy::GradientSpec& gradient) {
  shares(section, gradient.at, "at", 0, 1, "[0%, 50%, 100%]");
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
        emulator::StepFaults(faults.faults,
                             accuracy::worker_domains(study.training.workers, study.placement.domain_size));
        if (faults.faults.pattern != FaultPattern::transient && faults.faults.pattern != FaultPattern::domain &&
            faults.faults.share * study.training.workers < 0.5)
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
  root.require({{"faults", "none, or a list of cases: pattern (transient, permanent, skewed, domain, slow) and share"},
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
  const YamlEntry* faults = root.find("faults");
  const bool no_faults =
      faults != nullptr && faults->value.kind == YamlNode::Kind::scalar && faults->value.text == "none";
  if (faults != nullptr && !no_faults)
    read_list<accuracy::FaultCaseSpec>(*faults, problems, "pattern", most_cases,
                                       "cases, each a mapping with pattern and share", study.faults, read_fault_case);
  const std::size_t before_schemes = problems.count();
  if (const YamlEntry* schemes = root.find("schemes"))
    read_list<accuracy::SchemeSpec>(*schemes, problems, "estimator", most_schemes,
                                    "estimators, each a word or a mapping with estimator", study.schemes,
                                    [&](Section& section, accuracy::SchemeSpec& scheme) {
                                      scheme.domain_threshold = domain_threshold;
                                      return read_accuracy_scheme(section, scheme);
                                    });
  const bool schemes_ok = problems.count() == before_schemes;
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
