// The sections of `study: accuracy` that say what is trained on what: training, placement, correction.
#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/list_readers.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

using emulator::Copies;
using emulator::Sharing;
using workloads::OptimizerKind;

constexpr std::pair<std::string_view, OptimizerKind> optimizer_words[] = {
    {"adam", OptimizerKind::adam}, {"momentum_sgd", OptimizerKind::momentum_sgd}};
constexpr std::pair<std::string_view, Sharing> sharing_words[] = {{"shared", Sharing::shared},
                                                                  {"fixed", Sharing::fixed},
                                                                  {"subclustered", Sharing::subclustered},
                                                                  {"iid", Sharing::iid}};
constexpr std::pair<std::string_view, Copies> copies_words[] = {{"shared", Copies::shared},
                                                                {"per_domain", Copies::per_domain}};

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

}  // namespace

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
  read_shares(section, training.budgets, "budgets", 0.01, 100, "[50%, 75%, 100%, 125%]");
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
      section.complain("embeddings",
                       fmt::format("expected content, labels or a .npy file with a row per training "
                                   "sample, got {}{}",
                                   in_quotes(embeddings), did_you_mean(embeddings, {"content", "labels"})));
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

}  // namespace toposim::sim
