#pragma once
#include <memory>
#include <string_view>

#include "sim/lifecycle/scheme.hpp"
#include "sim/schemes/scheme_context.hpp"
#include "sim/schemes/scheme_spec.hpp"

namespace toposim::sim {

/// Throws std::invalid_argument on values out of range, naming the value.
///
/// A new scheme is a file beside this one with its class and a function like those in make_scheme.cpp, an entry of
/// SchemeKind, a line of make_scheme, and its keys in the scenario reader.
std::unique_ptr<Scheme> make_scheme(const SchemeSpec& spec, const SchemeContext& context);

std::string_view to_string(SchemeKind kind);

}  // namespace toposim::sim
