#pragma once
#include <vector>

#include "analysis/results.hpp"
#include "sim/lifecycle/scheme.hpp"
#include "sim/schemes/scheme_context.hpp"
#include "sim/schemes/scheme_spec.hpp"

namespace toposim::sim {

/// The ETTR that closed forms give for this scheme's resolved times: checkpoint/restart only, else empty. They assume
/// exponential gaps between failures and spares without end; Daly's is exact then, the others are first order.
std::vector<analysis::ClosedForm> closed_forms(const SchemeSpec& spec, const Scheme& scheme,
                                               const SchemeContext& context);

}  // namespace toposim::sim
