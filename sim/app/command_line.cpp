#include "sim/app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sim/app/app.hpp"
#include "sim/app/version.hpp"

namespace toposim::sim {
namespace {

constexpr const char* footer =
    "Results go to out/NAME: results.json, what it sums up as CSV and, where the scenario has gates, junit.xml; each\n"
    "written whole or not at all. toposim compare A B tells whether two such folders agree,\n"
    "toposim judge SCHEME DIR... whether a scheme is no worse than others; toposim faults TRACE says what a trace of\n"
    "real failures holds, toposim topology FILE what a fabric is made of and what looks wrong with it.\n"
    "Exit status: 0 done, 1 failed or a gate failed, 2 bad input or usage, 130 interrupted.";

}  // namespace

CommandLine usage_error(const std::string& message) {
  CommandLine result;
  result.action = CommandLine::Action::print_and_exit;
  result.text = fmt::format("toposim: {}\ntoposim: see toposim --help\n", message);
  result.exit_status = exit_bad_input;
  return result;
}

CommandLine text_only(std::string text) {
  CommandLine result;
  result.action = CommandLine::Action::print_and_exit;
  result.text = std::move(text);
  return result;
}

CommandLine read_command_line(int argc, const char* const* argv) {
  // Verbs are words in the place of the scenario, so that `toposim SCENARIO` needs none.
  if (argc > 1 && std::string(argv[1]) == "compare") return read_compare_line({argv + 2, argv + argc});
  if (argc > 1 && std::string(argv[1]) == "judge") return read_judge_line({argv + 2, argv + argc});
  if (argc > 1 && std::string(argv[1]) == "faults") return read_faults_line({argv + 2, argv + argc});
  if (argc > 1 && std::string(argv[1]) == "topology") return read_topology_line({argv + 2, argv + argc});
  const bool lint = argc > 1 && std::string(argv[1]) == "lint";

  CLI::App app(
      "How long a training step takes, how much of weeks of failures is useful, under each way of surviving them.",
      lint ? "toposim lint" : "toposim");
  app.footer(footer);
  CommandLine result;
  std::vector<std::string> sets;
  std::optional<std::string> seed, replicas;  // read as YAML values, so that the same rules and words apply
  bool version = false;
  app.add_option("SCENARIO", result.scenario,
                 "scenario file (YAML); `toposim lint SCENARIO` checks it and runs nothing");
  if (!lint) {
    app.add_option("--out", result.out, "directory for the results (default: out/NAME)")->type_name("DIR");
    app.add_option("--seed", seed, "seed of the failure draws, in place of run.seed")->type_name("N");
    app.add_option("--replicas", replicas, "failure histories to simulate, in place of run.replicas")->type_name("N");
    app.add_option("--threads", result.threads, "threads (default: all cores); results do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    app.add_flag("--quiet", result.quiet, "no report and no progress, results files only");
  }
  app.add_option("--set", sets, "override one value: --set cluster.spares=32 --set 'schemes[1].rejoin_stall=10s'")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  if (!lint) app.add_flag("--version", version, "toposim, git commit, SimGrid, CUDA, vector ISA");

  try {
    std::vector<std::string> arguments;  // CLI11 takes them last first
    for (int i = argc - 1; i > (lint ? 1 : 0); --i) arguments.emplace_back(argv[i]);
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return text_only(app.help());
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }

  if (version) return text_only(version_text());
  if (result.scenario.empty()) return usage_error("which scenario? such as: toposim scenarios/quickstart.yaml");
  for (const std::string& set : sets) {
    const auto equals = set.find('=');
    if (equals == std::string::npos || equals == 0)
      return usage_error(fmt::format("--set takes path.to.key=value, got '{}'", set));
    result.overrides.push_back({set.substr(0, equals), set.substr(equals + 1), {}});
  }
  if (seed) result.overrides.push_back({"run.seed", *seed, "--seed " + *seed});
  if (replicas) result.overrides.push_back({"run.replicas", *replicas, "--replicas " + *replicas});
  if (lint) result.action = CommandLine::Action::lint;
  return result;
}

}  // namespace toposim::sim
