#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/compare_results.hpp"
#include "analysis/judge/judgement.hpp"
#include "sim/app/faults_line.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace toposim::sim {

struct CommandLine {
  enum class Action : std::uint8_t { run, lint, compare, judge, faults, topology, print_and_exit } action = Action::run;
  std::string scenario;  ///< or the fabric file of topology
  std::string out;       ///< directory for results; empty: out/NAME
  std::vector<Override> overrides;
  int threads = 0;  ///< 0: all cores
  bool quiet = false;
  // compare
  std::string a, b;  ///< folders of results, or their results.json
  analysis::CompareOptions compare;
  // judge
  std::vector<std::string> studies;  ///< folders of results of accuracy studies
  analysis::JudgeOptions judge;
  FaultsLine faults;
  struct Topology {
    bool is_scenario = false;
    std::string tables, dot, graphml;  ///< files; empty: none
    double link_rate_Bps = 0;          ///< 0: as the fabric file says
  } topology;
  // print_and_exit
  std::string text;
  int exit_status = 0;  ///< not 0: the text is an error and goes to stderr
};

CommandLine read_command_line(int argc, const char* const* argv);

/// Of `toposim compare`; arguments: what follows that.
CommandLine read_compare_line(const std::vector<std::string>& arguments);
/// Of `toposim judge`.
CommandLine read_judge_line(const std::vector<std::string>& arguments);

/// Of `toposim faults`, likewise.
CommandLine read_faults_line(const std::vector<std::string>& arguments);

/// Of `toposim topology`; arguments: what follows that.
CommandLine read_topology_line(const std::vector<std::string>& arguments);

CommandLine usage_error(const std::string& message);
CommandLine text_only(std::string text);

}  // namespace toposim::sim
