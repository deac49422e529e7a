#include <fmt/format.h>

#include <limits>

#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

constexpr std::pair<std::string_view, Fidelity> fidelity_words[] = {
    {"bottleneck", Fidelity::bottleneck}, {"flow", Fidelity::flow}, {"exact", Fidelity::exact}};

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

}  // namespace

void read_run(Section& section, RunSpec& run) {
  section.require({{"duration", "how long the job trains, such as 54d"}});
  section.quantity(run.duration_s, "duration", Dimension::time, time_above_zero);
  section.whole(run.replicas, "replicas", 1, 1'000'000);
  section.share(run.target_precision, "target_precision", {0, 1, true});
  std::int64_t seed = 0;
  if (section.whole(seed, "seed", 0, std::numeric_limits<std::int64_t>::max()))
    run.seed = static_cast<std::uint64_t>(seed);
  section.choice<Fidelity>(run.fidelity, "fidelity", fidelity_words);
  section.whole(run.cross_check_states, "cross_check_states", 0, 1000);
  section.finish();
}

bool read_name(Section& section, std::string_view key, std::string& out) {
  std::string name;
  if (!section.text(name, key)) return false;
  bool good = name.size() <= 64 && name[0] != '.' && name[0] != '-';
  for (const char c : name) good = good && name_character(c);
  if (good)
    out = name;
  else
    section.complain(key,
                     fmt::format("expected a name that can be a file's (up to 64 letters, digits, '.', '_' and '-', "
                                 "not starting with '.' or '-'), got {}",
                                 in_quotes(name)));
  return good;
}

}  // namespace toposim::sim
