#include "sim/schemes/make_scheme.hpp"

#include <stdexcept>

namespace toposim::sim {

// Each in the file of its scheme.
std::unique_ptr<Scheme> make_checkpoint_restart(const SchemeSpec& spec, const SchemeContext& context);
std::unique_ptr<Scheme> make_drop_replica(const SchemeSpec& spec, const SchemeContext& context);
std::unique_ptr<Scheme> make_compensate(const SchemeSpec& spec, const SchemeContext& context);

std::unique_ptr<Scheme> make_scheme(const SchemeSpec& spec, const SchemeContext& context) {
  switch (spec.kind) {
    case SchemeKind::checkpoint_restart:
      return make_checkpoint_restart(spec, context);
    case SchemeKind::drop_replica:
      return make_drop_replica(spec, context);
    case SchemeKind::compensate:
      return make_compensate(spec, context);
  }
  throw std::invalid_argument("no such scheme");
}

std::string_view to_string(SchemeKind kind) {
  switch (kind) {
    case SchemeKind::checkpoint_restart:
      return "checkpoint_restart";
    case SchemeKind::drop_replica:
      return "drop_replica";
    case SchemeKind::compensate:
      return "compensate";
  }
  return "";
}

}  // namespace toposim::sim
