#pragma once
#include <vector>

#include "analysis/results.hpp"
#include "sim/lifecycle/scheme.hpp"
#include "sim/schemes/scheme_context.hpp"
#include "sim/schemes/scheme_spec.hpp"

namespace toposim::sim {

/// The ETTR that closed forms give for this scheme's resolved times: checkpoint/restart only, else empty. They assume
/// exponential gaps between failures and spares without end; Daly's is exact then, the others are first order.
/// `mtti_s`: mean time between stops of the job, planned ones included. A planned stop is charged a detection it does
/// not pay. Infinite: nothing stops the job, and there is nothing to compare.
std::vector<analysis::ClosedForm> closed_forms(const SchemeSpec& spec, const Scheme& scheme,
                                               const SchemeContext& context, double mtti_s);

}  // namespace toposim::sim
