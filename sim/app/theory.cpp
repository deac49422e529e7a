#include "sim/app/theory.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/closed_forms.hpp"

namespace toposim::sim {

std::vector<analysis::ClosedForm> closed_forms(const SchemeSpec& spec, const Scheme& scheme,
                                               const SchemeContext& context, double mtti_s) {
  if (spec.kind != SchemeKind::checkpoint_restart || !std::isfinite(mtti_s)) return {};
  const RecoveryCosts& costs = scheme.costs();
  const std::int64_t restart_ns = costs.detect_ns + costs.reallocate_ns + costs.comm_init_ns(context.layout.data) +
                                  costs.load_ns + costs.catch_up_ns;
  const CheckpointPlan& plan = scheme.checkpoints();
  const double interval_s = 1e-9 * static_cast<double>(plan.interval_steps) * static_cast<double>(context.step_time_ns);
  const analysis::CheckpointTimes times{.mtbf_s = mtti_s,
                                        .restart_s = 1e-9 * static_cast<double>(restart_ns),
                                        .write_s = 1e-9 * static_cast<double>(plan.stall_ns)};
  const auto bounded = [](double value) { return std::clamp(value, 0.0, 1.0); };
  return {{"Daly's exact form", bounded(analysis::daly_ettr(interval_s, times)), "Daly, FGCS 22, 2006, eq. 20"},
          {"Meta's quotient form", bounded(analysis::meta_ettr(interval_s, times)), "arXiv 2410.21680"},
          {"first-order sum", bounded(analysis::first_order_ettr(interval_s, times)), "1 - d/t - (R + t/2) / M"}};
}

}  // namespace toposim::sim
