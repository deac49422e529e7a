#include "faults/replay/replay_spec.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

constexpr std::pair<std::string_view, faults::NodeMapping> mapping_words[] = {{"ranked", faults::NodeMapping::ranked},
                                                                              {"cycled", faults::NodeMapping::cycled}};

}  // namespace

void read_replay(Section& section, faults::ReplaySpec& replay) {
  section.require({{"file", "the trace, such as failures.csv; toposim faults FILE says what is in it"}});
  section.text(replay.file, "file");
  if (section.has("file") && replay.file.empty()) section.complain("file", "expected the name of a file, got ''");
  section.whole(replay.nodes, "nodes", 1, 10'000'000);
  section.quantity(replay.from_s, "from", Dimension::time, time_range);
  if (section.quantity(replay.to_s, "to", Dimension::time, time_above_zero) && replay.to_s <= replay.from_s)
    section.complain("to", "the window has to end after it begins, at faults.trace.from");
  section.choice<faults::NodeMapping>(replay.mapping, "mapping", mapping_words);
  section.number(replay.scale, "scale", {0, 100, true});
  section.number(replay.compress, "compress", {0.001, 1000});
  section.flag(replay.repeat, "repeat");
  section.quantity(replay.repair_s, "repair", Dimension::time, {1e-6, faults::repair_mean_s_max});
  section.flag(replay.lenient, "lenient");
  section.flag(replay.keep_planned, "planned");
  section.finish();
}

}  // namespace toposim::sim
