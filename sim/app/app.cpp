#include "sim/app/app.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <thread>

#include "analysis/report.hpp"
#include "analysis/write_results.hpp"
#include "sim/app/command_line.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/study.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace toposim::sim {
namespace {

/// Writes all of it to standard output or says why not: a full disk must not pass for success.
bool print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
  fmt::print(stderr, "toposim: could not write to standard output\n");
  return false;
}

int say_problems(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) fmt::print(stderr, "{}\n{}", problem.text(), problem.excerpt());
  fmt::print(stderr, "toposim: {} {} found; nothing was run\n", problems.size(),
             problems.size() == 1 ? "problem" : "problems");
  return exit_bad_input;
}

int run_scenario(const CommandLine& line, const Scenario& scenario) {
  const int threads =
      line.threads > 0 ? line.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  analysis::Results results;
  {
    Progress progress(!line.quiet);
    results = run_study(scenario, threads, progress);
  }
  results.scenario_file = line.scenario;
  const std::filesystem::path directory =
      line.out.empty() ? std::filesystem::path("out") / scenario.name : std::filesystem::path(line.out);
  {
    const InterruptHold hold;
    analysis::write_results(directory, results);
  }
  results.output_directory = directory.string();
  if (line.quiet) return exit_done;
  return print(analysis::terminal_report(results, analysis::style_of(STDOUT_FILENO))) ? exit_done : exit_failed;
}

}  // namespace

int run_app(int argc, char** argv) {
  install_interrupt_handler();
  try {
    const CommandLine line = read_command_line(argc, argv);
    if (line.action == CommandLine::Action::print_and_exit) {
      if (line.exit_status == exit_done) return print(line.text) ? exit_done : exit_failed;
      fmt::print(stderr, "{}", line.text);
      return line.exit_status;
    }
    const ScenarioOrProblems read = read_scenario(line.scenario, line.overrides);
    if (!read.ok()) return say_problems(read.problems);
    if (line.action == CommandLine::Action::lint)
      return print(fmt::format("{}: no problems found\n", line.scenario)) ? exit_done : exit_failed;
    return run_scenario(line, read.scenario);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "toposim: out of memory; a smaller cluster or fewer replicas need less\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "toposim: {}\n", error.what());
  }
  return exit_failed;
}

}  // namespace toposim::sim
