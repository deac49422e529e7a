#include "sim/step/step_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/step/compute_time.hpp"
#include "sim/step/exchange_price.hpp"

namespace toposim::sim {
namespace {

struct Timed {
  PricedExchange exchange;
  double times;
  CollectiveKind kind;
  double bytes;
};

/// A gather of parameters: on its own, or as the same messages as a reduction of gradients at another size.
struct Gather {
  std::optional<PricedExchange> own;
  std::size_t like = 0;   ///< index of the reduction
  double byte_ratio = 1;  ///< to it
  double times = 0;
};

/// Splits a time into what is hidden under `window_s` of compute and the rest.
struct Split {
  double exposed_s, hidden_s;
};
Split hide(double time_s, double window_s) {
  const double hidden = std::clamp(window_s, 0.0, time_s);
  return {time_s - hidden, hidden};
}

void require_share(double value, const char* name) {
  if (!(value >= 0 && value <= 1))
    throw std::invalid_argument(fmt::format("job: {} = {} must be in [0, 1]", name, value));
}

/// Micro-batches under whose last backward pass (first forward pass) gradients (parameters) travel. Of the v chunks of
/// an interleaved schedule v - 1 are done while the last group of min(p, m) micro-batches passes through the others;
/// the last one, or the only one, has the last micro-batch, layer by layer (Megatron-LM's overlap of gradient reduction
/// and parameter gathering; MegaScale, arXiv 2402.15627, section 3.2).
double overlap_micro_batches(const JobSpec& job, double m) {
  const double v = static_cast<double>(job.virtual_pipeline);
  const double group = std::min(static_cast<double>(job.layout.pipeline), m);
  return ((v - 1) * group + 1) / v;
}

}  // namespace

struct StepModel::Impl {
  const JobSpec job;
  const GpuSpec gpu;
  const topology::Placement& placement;
  const std::unique_ptr<FabricModel> bottleneck;
  const ExchangeSite site;
  const ComputeTime compute;
  std::vector<Timed> tensor, context, expert, gradients;
  std::vector<Gather> parameters;
  std::optional<PipelineTransfer> pipeline;
  StepBreakdown nominal;

  Impl(const JobSpec& job_spec, const GpuSpec& gpu_spec, const topology::Router& router,
       const topology::Placement& job_placement)
      : job(job_spec),
        gpu(gpu_spec),
        placement(job_placement),
        bottleneck(make_bottleneck_model(router)),
        site{router, placement, job.latency, *bottleneck},
        compute(compute_per_micro_batch(job, gpu)) {
    require_share(job.tensor_overlap, "tensor_overlap");
    require_share(job.data_overlap, "data_overlap");
    require_share(job.pipeline_overlap, "pipeline_overlap");
    const auto priced = [&](const std::vector<Exchange>& exchanges, Algorithm algorithm) {
      std::vector<Timed> list;
      for (const Exchange& e : exchanges) {
        list.push_back({price_exchange(e, algorithm, site), e.times, e.request.kind, e.request.bytes});
      }
      return list;
    };
    tensor = priced(tensor_exchanges(job, placement), Algorithm::automatic);
    context = priced(context_exchanges(job, placement), Algorithm::ring);
    expert = priced(expert_exchanges(job, placement), Algorithm::direct);
    const DataExchanges data = data_exchanges(job, placement);
    gradients = priced(data.gradients, job.algorithm);
    for (const Exchange& e : data.parameters) parameters.push_back(gather(e));
    Phase transfers = pipeline_phase(job, placement, router.cluster());
    if (!transfers.empty()) pipeline.emplace(std::move(transfers), site);
    nominal = assemble(StepState{}, [](const auto& exchange) { return exchange.incremental(StepState{}); });
  }

  Gather gather(const Exchange& exchange) const;
  /// price: the ExchangeTime of one exchange, or of all pipeline boundaries once.
  template <class Price>
  StepBreakdown assemble(const StepState& state, Price&& price) const;
  void check(const StepState& state) const;
};

Gather StepModel::Impl::gather(const Exchange& exchange) const {
  const CollectiveRequest& request = exchange.request;
  PricedPlan best = best_plan(request, job.algorithm, site.cluster(), site.latency, site.bottleneck, {});
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const auto* reduction = std::get_if<FabricExchange>(&gradients[i].exchange);
    if (reduction != nullptr && reduction->same_messages(request, best.plan)) {
      return {std::nullopt, i, request.bytes / gradients[i].bytes, exchange.times};
    }
  }
  return {FabricExchange(request, exchange.membership, std::move(best), site), 0, 1, exchange.times};
}

void StepModel::Impl::check(const StepState& state) const {
  const auto& missing = state.missing_replicas;
  if (!std::is_sorted(missing.begin(), missing.end()) ||
      std::adjacent_find(missing.begin(), missing.end()) != missing.end()) {
    throw std::invalid_argument("step: missing replicas must be ascending, each once");
  }
  if (!missing.empty() && missing.back() >= placement.replicas()) {
    throw std::invalid_argument(
        fmt::format("step: replica {} is missing, but the job has {}", missing.back(), placement.replicas()));
  }
  if (!(state.compute_speed > 0 && state.compute_speed <= 1)) {
    throw std::invalid_argument(fmt::format("step: compute_speed = {} must be in (0, 1]", state.compute_speed));
  }
}

template <class Price>
StepBreakdown StepModel::Impl::assemble(const StepState& state, Price&& price) const {
  const auto sum = [&](const std::vector<Timed>& list) {
    double total = 0;
    for (const Timed& t : list) total += t.times * std::visit(price, t.exchange).total_s();
    return total;
  };
  const auto missing = static_cast<std::int64_t>(state.missing_replicas.size());
  const std::int64_t left = job.layout.data - missing;
  StepBreakdown b;
  b.micro_batches = surviving_micro_batches(job, missing, state.redistribute);
  const double m = static_cast<double>(b.micro_batches), v = static_cast<double>(job.virtual_pipeline);

  b.compute_s = m * compute.total_s();
  b.straggler_wait_s = b.compute_s * (1 / state.compute_speed - 1);

  const double tensor_s = m * sum(tensor);
  const Split tp = hide(tensor_s, std::min(job.tensor_overlap * tensor_s, b.compute_s));
  b.tensor_parallel_s = tp.exposed_s, b.hidden_tensor_parallel_s = tp.hidden_s;

  // A block of keys and values travels while the block before it is attended to; the own block needs no transfer, so
  // (c - 1)/c of the attention core, forward and backward, covers the exchange.
  const double c = static_cast<double>(job.layout.context);
  const Split cp = hide(m * sum(context), m * compute.attention_core_s * (c - 1) / c);
  b.context_parallel_s = cp.exposed_s, b.hidden_context_parallel_s = cp.hidden_s;

  b.expert_parallel_s = m * sum(expert);

  b.pipeline_bubble_s = bubble_share(job, b.micro_batches) *
                        (b.compute_s + b.tensor_parallel_s + b.context_parallel_s + b.expert_parallel_s);
  if (pipeline) {
    // One slot per micro-batch and chunk; the slots of filling and draining have nothing to hide under.
    const double slot_s = price(*pipeline).total_s(), slots = m * v;
    const double bare_slots = std::min(slots, static_cast<double>(job.layout.pipeline - 1));
    const Split pp = hide(slots * slot_s, std::min(job.pipeline_overlap * (slots - bare_slots) * slot_s, b.compute_s));
    b.pipeline_transfer_s = pp.exposed_s, b.hidden_pipeline_s = pp.hidden_s;
  }

  // ZeRO 2 reduces gradients, ZeRO 3 also gathers weights, in every micro-batch, which then covers it; else once.
  const double window = overlap_micro_batches(job, m);
  const double reductions = job.zero_stage >= 2 ? m : 1, gathers = job.zero_stage >= 3 ? m : 1;
  std::vector<ExchangeTime> once;
  double reduction_s = 0, gather_s = 0;
  for (const Timed& t : gradients) {
    once.push_back(std::visit(price, t.exchange));
    reduction_s += reductions * t.times * once.back().total_s();
  }
  for (const Gather& g : parameters) {
    const ExchangeTime time = g.own ? std::visit(price, *g.own)
                                    : ExchangeTime{once[g.like].transfer_s * g.byte_ratio, once[g.like].latency_s};
    gather_s += gathers * g.times * time.total_s();
  }
  b.gradient_window_s = job.data_overlap * compute.backward_s * (reductions > 1 ? m : window);
  b.parameter_window_s = job.data_overlap * (gathers > 1 ? m * compute.total_s() : window * compute.forward_s);
  const Split rs = hide(reduction_s, b.gradient_window_s);
  const Split ag = hide(gather_s, b.parameter_window_s);
  b.data_parallel_s = rs.exposed_s + ag.exposed_s;
  b.hidden_data_parallel_s = rs.hidden_s + ag.hidden_s;
  b.hidden_gradient_reduction_s = rs.hidden_s;

  b.optimizer_s = optimizer_time_s(job, gpu, left);

  b.step_time_s = b.compute_s + b.tensor_parallel_s + b.pipeline_bubble_s + b.pipeline_transfer_s +
                  b.expert_parallel_s + b.context_parallel_s + b.data_parallel_s + b.optimizer_s + b.straggler_wait_s;

  const double ranks = static_cast<double>(left * job.layout.ranks_per_replica());
  const double sequences = m * static_cast<double>(left * job.micro_batch);
  b.model_flops = model_flops_per_token(job.model) * sequences * static_cast<double>(job.model.sequence);
  b.mfu = b.model_flops / (ranks * peak_flops(job, gpu) * b.step_time_s);
  if (!gradients.empty() && left * job.layout.context > 1) {
    const Timed& dense = gradients.front();
    b.data_parallel_algorithm =
        std::visit([](const auto& exchange) { return exchange.healthy().algorithm; }, dense.exchange);
    b.data_parallel_busbw_Bps =
        dense.bytes * bus_factor(dense.kind, static_cast<double>(left * job.layout.context)) / once.front().total_s();
  }
  return b;
}

StepModel::StepModel(const JobSpec& job, const GpuSpec& gpu, const topology::Router& router,
                     const topology::Placement& placement)
    : impl_(std::make_unique<Impl>(job, gpu, router, placement)) {}

StepModel::~StepModel() = default;

const JobSpec& StepModel::job() const {
  return impl_->job;
}
const GpuSpec& StepModel::gpu() const {
  return impl_->gpu;
}

StepBreakdown StepModel::step(const StepState& state, FabricModel& model) const {
  impl_->check(state);
  return impl_->assemble(state, [&](const auto& exchange) { return exchange.full(state, model); });
}

StepBreakdown StepModel::step_incremental(const StepState& state) const {
  if (state.nominal()) return impl_->nominal;
  impl_->check(state);
  return impl_->assemble(state, [&](const auto& exchange) { return exchange.incremental(state); });
}

}  // namespace toposim::sim
