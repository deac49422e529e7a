#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/presets.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

constexpr std::string_view model_presets = "sim/presets/models.yaml";
constexpr std::int64_t most_ranks = 1'000'000;

constexpr std::pair<std::string_view, Precision> precision_words[] = {{"bf16", Precision::bf16},
                                                                      {"fp8", Precision::fp8}};
constexpr std::pair<std::string_view, JobSpec::Recompute> recompute_words[] = {
    {"none", JobSpec::Recompute::none},
    {"selective", JobSpec::Recompute::selective},
    {"full", JobSpec::Recompute::full}};
constexpr std::pair<std::string_view, Algorithm> algorithm_words[] = {
    {"auto", Algorithm::automatic},
    {"ring", Algorithm::ring},
    {"rail_rings", Algorithm::rail_rings},
    {"hierarchical", Algorithm::hierarchical},
    {"hierarchical_pipelined", Algorithm::hierarchical_pipelined},
    {"double_binary_tree", Algorithm::double_binary_tree},
    {"nvls", Algorithm::nvls},
    {"nvls_tree", Algorithm::nvls_tree},
    {"sharp", Algorithm::sharp}};
constexpr std::pair<std::string_view, topology::Axis> axis_words[] = {{"tensor", topology::Axis::tensor},
                                                                      {"context", topology::Axis::context},
                                                                      {"pipeline", topology::Axis::pipeline},
                                                                      {"data", topology::Axis::data}};

void fill_model(Section& section, ModelSpec& model) {
  section.whole(model.layers, "layers", 1, 100'000);
  section.whole(model.hidden, "hidden", 1, 10'000'000);
  section.whole(model.heads, "heads", 1, 1'000'000);
  const bool own_kv = section.whole(model.kv_heads, "kv_heads", 1, 1'000'000);
  if (!own_kv && model.kv_heads == 0) model.kv_heads = model.heads;
  section.whole(model.ffn_hidden, "ffn_hidden", 1, 100'000'000);
  section.whole(model.vocabulary, "vocabulary", 1, 1'000'000'000);
  section.whole(model.sequence, "sequence", 1, 1'000'000'000);
  section.flag(model.gated_ffn, "gated_ffn");
  section.flag(model.tied_embedding, "tied_embedding");
  section.whole(model.experts, "experts", 1, 1'000'000);
  section.whole(model.experts_per_token, "experts_per_token", 1, 1'000'000);
  section.whole(model.moe_every, "moe_every", 1, 100'000);
  section.text(model.source, "source");
  section.finish();
}

bool load_model_preset(Section& section, std::string_view key, const YamlNode& name, ModelSpec& model) {
  const auto names = preset_names(model_presets);
  const YamlNode* preset = name.kind == YamlNode::Kind::scalar ? find_preset(model_presets, name.text) : nullptr;
  if (preset == nullptr) {
    const std::string near = name.kind == YamlNode::Kind::scalar ? nearest(name.text, names) : "";
    section.complain(key, fmt::format("expected a model preset ({}), got {}{}", list_words(names), describe(name),
                                      near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    return false;
  }
  Section fields(preset, name.text, preset->mark, section.problems());
  model.name = name.text;
  fill_model(fields, model);
  return true;
}

/// What a model's own sizes say together.
void check_model(Section& section, const ModelSpec& model) {
  const auto divides = [](std::int64_t small, std::int64_t large) { return small > 0 && large % small == 0; };
  if (model.heads > 0 && !divides(model.heads, model.hidden))
    section.complain("heads", fmt::format("{} heads do not divide hidden, {}", model.heads, model.hidden));
  if (model.kv_heads > 0 && !divides(model.kv_heads, model.heads))
    section.complain("kv_heads",
                     fmt::format("{} key-value heads do not divide the {} heads", model.kv_heads, model.heads));
  if (model.experts_per_token > model.experts)
    section.complain("experts_per_token",
                     fmt::format("a token cannot visit {} of {} experts", model.experts_per_token, model.experts));
  if (model.moe_every > model.layers && model.experts > 1)
    section.complain("moe_every",
                     fmt::format("no layer has experts when every {}th of {} has", model.moe_every, model.layers));
}

void read_model(Section& job, ModelSpec& model) {
  const YamlEntry* entry = job.find("model");
  if (entry == nullptr) return;
  if (entry->value.kind != YamlNode::Kind::map) {
    load_model_preset(job, "model", entry->value, model);
    return;
  }
  Section own = job.section("model");
  const std::size_t before = own.problems().count();
  model.name = "custom";
  if (const YamlEntry* base = own.find("extends"); base != nullptr)
    load_model_preset(own, "extends", base->value, model);
  else
    own.require({{"layers", "how many transformer layers"},
                 {"hidden", "width of the model"},
                 {"heads", "attention heads"},
                 {"ffn_hidden", "width of the feed-forward network"},
                 {"vocabulary", "entries of the vocabulary"},
                 {"sequence", "tokens per sequence"}});
  own.text(model.name, "name");
  fill_model(own, model);
  if (own.problems().count() == before) check_model(own, model);
}

void read_rank_order(Section& job, std::array<topology::Axis, 4>& order) {
  const YamlEntry* entry = job.find("rank_order");
  if (entry == nullptr) return;
  const std::string expected =
      "expected a list of tensor, context, pipeline and data, each once, fastest varying first";
  std::vector<topology::Axis> axes;
  for (const YamlNode& item : entry->value.items)
    for (const auto& [word, axis] : axis_words)
      if (item.kind == YamlNode::Kind::scalar && item.text == word) axes.push_back(axis);
  auto distinct = axes;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (entry->value.kind != YamlNode::Kind::list || entry->value.items.size() != 4 || distinct.size() != 4) {
    std::vector<std::string> got;
    for (const YamlNode& item : entry->value.items) got.push_back(describe(item));
    job.complain("rank_order", expected + ", got " +
                                   (got.empty() || got.size() > 8 ? describe(entry->value) : list_words(got, "and")));
    return;
  }
  std::copy(axes.begin(), axes.end(), order.begin());
}

void read_compute(Section& section, JobSpec& job) {
  section.share(job.compute_efficiency, "compute_efficiency", part);
  section.quantity(job.compute_time_s, "compute_time", Dimension::time, {1e-3, longest_s});
  const bool efficiency = section.has("compute_efficiency"), given = section.has("compute_time");
  if (efficiency && given)
    section.complain("compute_time", "compute_efficiency is given too; keep one of them");
  else if (!efficiency && !given && section.present())
    section.require({{"compute_efficiency",
                      "the share of its peak that a GPU reaches while it computes, such as 50%; or "
                      "compute_time, the compute of one step"}});
}

void read_overlap(Section&& section, JobSpec& job) {
  section.share(job.tensor_overlap, "tensor", up_to_one);
  section.share(job.data_overlap, "data", up_to_one);
  section.share(job.pipeline_overlap, "pipeline", up_to_one);
  section.finish();
}

/// How the data-parallel collectives run; the defaults and their calibration: sim/collectives/latency.cpp.
void read_collectives(Section&& section, JobSpec& job) {
  section.choice<Algorithm>(job.algorithm, "algorithm", algorithm_words);
  LatencySpec& spec = job.latency;
  section.flag(spec.low_latency_protocols, "low_latency_protocols");
  constexpr Range one_second{0, 1};
  Section latency = section.section("latency");
  latency.quantity(spec.base_s, "base", Dimension::time, one_second);
  latency.quantity(spec.nvlink_round_s, "nvlink_round", Dimension::time, one_second);
  latency.quantity(spec.network_round_s, "network_round", Dimension::time, one_second);
  latency.quantity(spec.tree_round_s, "tree_round", Dimension::time, one_second);
  latency.quantity(spec.switch_reduction_s, "switch_reduction", Dimension::time, one_second);
  latency.finish();
  constexpr Range efficiency_range{0.01, 1};
  Section efficiency = section.section("efficiency");
  efficiency.share(spec.nvlink_efficiency, "nvlink", efficiency_range);
  efficiency.share(spec.network_efficiency, "network", efficiency_range);
  efficiency.share(spec.nvls_efficiency, "nvls", efficiency_range);
  efficiency.share(spec.nvls_tree_efficiency, "nvls_tree", efficiency_range);
  efficiency.finish();
  constexpr Range chunk_range{1024, 1e12};
  Section chunk = section.section("chunk");
  chunk.quantity(spec.nvls_chunk_bytes, "nvls", Dimension::size, chunk_range);
  chunk.quantity(spec.pipeline_chunk_bytes, "pipeline", Dimension::size, chunk_range);
  chunk.finish();
  section.finish();
}

}  // namespace

void read_job(Section& section, JobSpec& job) {
  section.require({{"model", "a preset (" + list_words(preset_names(model_presets)) + ") or a mapping of its sizes"},
                   {"global_batch", "sequences per step"}});
  read_model(section, job.model);
  section.whole(job.layout.tensor, "tensor_parallel", 1, most_ranks);
  section.whole(job.layout.pipeline, "pipeline_parallel", 1, most_ranks);
  section.whole(job.layout.context, "context_parallel", 1, most_ranks);
  section.whole(job.layout.expert, "expert_parallel", 1, most_ranks);
  job.layout.data = 0;
  section.whole(job.layout.data, "data_parallel", 1, 10 * most_ranks);
  read_rank_order(section, job.layout.order);
  section.whole(job.virtual_pipeline, "virtual_pipeline", 1, 1000);
  section.whole(job.micro_batch, "micro_batch", 1, 1'000'000'000);
  section.whole(job.global_batch, "global_batch", 1, 1'000'000'000);
  section.choice<Precision>(job.precision, "precision", precision_words);
  read_compute(section, job);
  std::int64_t zero_stage = job.zero_stage;
  if (section.whole(zero_stage, "zero_stage", 0, 3)) job.zero_stage = static_cast<int>(zero_stage);
  section.flag(job.sequence_parallel, "sequence_parallel");
  section.choice<JobSpec::Recompute>(job.recompute, "recompute", recompute_words);
  section.number(job.gradient_bytes, "gradient_bytes", {1, 8});
  read_overlap(section.section("overlap"), job);
  read_collectives(section.section("collectives"), job);
  section.finish();
}

void read_domains(Section& section, topology::DomainsSpec& domains) {
  section.whole(domains.size, "size", 1, 10'000'000);
  section.finish();
}

}  // namespace toposim::sim
