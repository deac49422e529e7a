#include "sim/app/app.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "analysis/compare/compare_report.hpp"
#include "analysis/files/atomic_file.hpp"
#include "analysis/files/fault_files.hpp"
#include "analysis/files/fault_model.hpp"
#include "analysis/files/write_accuracy.hpp"
#include "analysis/files/write_results.hpp"
#include "analysis/gates/accuracy_series.hpp"
#include "analysis/gates/gate_check.hpp"
#include "analysis/gates/gate_report.hpp"
#include "analysis/gates/gate_series.hpp"
#include "analysis/judge/judge_report.hpp"
#include "analysis/report/accuracy_report.hpp"
#include "analysis/report/fault_report.hpp"
#include "analysis/report/report.hpp"
#include "faults/trace/error.hpp"
#include "sim/accuracy/accuracy_study.hpp"
#include "sim/app/accuracy_app.hpp"
#include "sim/app/command_line.hpp"
#include "sim/app/faults_study.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/load_replay.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/study.hpp"
#include "sim/app/topology_app.hpp"
#include "sim/recorded/error.hpp"
#include "sim/scenario/did_you_mean.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/workloads/error.hpp"
#include "topology/error.hpp"
#include "topology/import/import_error.hpp"

namespace toposim::sim {
namespace {

/// To standard error. Where that is closed or full nobody is there to be told, and the exit status has to do.
void complain(const std::string& text) {
  std::fputs(text.c_str(), stderr);
}

/// Writes all of it to standard output or says why not: a full disk must not pass for success.
bool print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
  complain("toposim: could not write to standard output\n");
  return false;
}

int say_problems(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) complain(fmt::format("{}\n{}", problem.text(), problem.excerpt()));
  complain(fmt::format("toposim: {} {} found; nothing was run\n", problems.size(),
                       problems.size() == 1 ? "problem" : "problems"));
  return exit_bad_input;
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) complain(fmt::format("toposim: warning: {}\n", warning));
}

void complain_of_gates(const CommandLine& line, const std::vector<analysis::GateOutcome>& gates) {
  for (const analysis::GateOutcome& gate : gates)
    if (!gate.passed)
      complain(fmt::format("{}{}: gate {}\n", line.scenario, gate.line > 0 ? fmt::format(":{}", gate.line) : "",
                           analysis::gate_failure(gate)));
}

int compare_results(const CommandLine& line) {
  const analysis::ResultTree a = analysis::read_result_tree(line.a), b = analysis::read_result_tree(line.b);
  const analysis::Comparison comparison = analysis::compare(a, b, line.compare);
  const std::string text = analysis::compare_report(a, b, line.compare, comparison, analysis::style_of(STDOUT_FILENO));
  return print(text) && comparison.agree() ? exit_done : exit_failed;
}

int judge_results(const CommandLine& line) {
  analysis::Judgement judgement;
  for (const std::string& folder : line.studies) analysis::judge_study(folder, line.judge, judgement);
  analysis::correct_for_many(judgement);
  const std::string text = analysis::judge_report(judgement, line.judge, analysis::style_of(STDOUT_FILENO));
  return print(text) && analysis::holds_everywhere(judgement, line.judge) ? exit_done : exit_failed;
}

int analyse_trace(const CommandLine& line) {
  analysis::FaultResults results = run_faults(line.faults);
  if (!line.out.empty()) {
    const InterruptHold hold;
    analysis::write_faults(line.out, results);
    results.output_directory = line.out;
  }
  if (!line.faults.model.empty()) {
    const std::filesystem::path model = line.faults.model, folder = model.parent_path();
    const std::string text = analysis::fault_model_yaml(results);
    const InterruptHold hold;
    analysis::write_files(folder.empty() ? "." : folder, {{model.filename().string(), text}});
  }
  if (line.quiet) {
    warn(results.warnings);
    return exit_done;
  }
  return print(analysis::fault_report(results, analysis::style_of(STDOUT_FILENO))) ? exit_done : exit_failed;
}

int threads_of(const CommandLine& line) {
  return line.threads > 0 ? line.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

int lint_scenario(const CommandLine& line, const Scenario& scenario) {
  if (scenario.study == Study::accuracy)
    accuracy::check_accuracy(scenario.accuracy, threads_of(line));
  else
    warn(check_study(scenario));
  return print(fmt::format("{}: no problems found\n", line.scenario)) ? exit_done : exit_failed;
}

/// Checks the gates, writes the files, shows the report. `write` is that of the kind of results.
template <class Results, class Write>
int deliver(const CommandLine& line, const Scenario& scenario, Results results, const Write& write) {
  results.scenario_file = line.scenario;
  results.gates = analysis::check_gates(analysis::series_of(results), scenario.gates, nearest);
  const std::filesystem::path directory =
      line.out.empty() ? std::filesystem::path("out") / scenario.name : std::filesystem::path(line.out);
  {
    const InterruptHold hold;
    write(directory, results);
  }
  results.output_directory = directory.string();
  const int status = analysis::all_passed(results.gates) ? exit_done : exit_failed;
  if (line.quiet) {
    warn(results.warnings);
    complain_of_gates(line, results.gates);
    return status;
  }
  return print(analysis::terminal_report(results, analysis::style_of(STDOUT_FILENO))) ? status : exit_failed;
}

/// The line of progress is gone before anything else is printed.
template <class Run>
auto with_progress(const CommandLine& line, const Run& run) {
  Progress progress(!line.quiet);
  return run(progress);
}

int run_scenario(const CommandLine& line, const Scenario& scenario) {
  const int threads = threads_of(line);
  if (scenario.study == Study::accuracy)
    return deliver(
        line, scenario,
        with_progress(line, [&](Progress& progress) { return run_accuracy_study(scenario, threads, progress); }),
        analysis::write_accuracy);
  return deliver(line, scenario,
                 with_progress(line, [&](Progress& progress) { return run_study(scenario, threads, progress); }),
                 analysis::write_results);
}

}  // namespace

int run_app(int argc, char** argv) {
  install_interrupt_handler();
  std::string scenario;
  try {
    const CommandLine line = read_command_line(argc, argv);
    if (line.action == CommandLine::Action::print_and_exit) {
      if (line.exit_status == exit_done) return print(line.text) ? exit_done : exit_failed;
      complain(line.text);
      return line.exit_status;
    }
    if (line.action == CommandLine::Action::compare) return compare_results(line);
    if (line.action == CommandLine::Action::judge) return judge_results(line);
    if (line.action == CommandLine::Action::faults) return analyse_trace(line);
    if (line.action == CommandLine::Action::topology && !line.topology.is_scenario)
      return print(look_at_topology(line, nullptr)) ? exit_done : exit_failed;
    ScenarioOrProblems read = read_scenario(line.scenario, line.overrides);
    if (!read.ok()) return say_problems(read.problems);
    scenario = line.scenario;
    if (line.action == CommandLine::Action::topology)
      return print(look_at_topology(line, &read.scenario)) ? exit_done : exit_failed;
    load_replay(read.scenario);
    if (line.action == CommandLine::Action::lint) return lint_scenario(line, read.scenario);
    return run_scenario(line, read.scenario);
  } catch (const std::bad_alloc&) {
    complain("toposim: out of memory; a smaller cluster or fewer replicas need less\n");
  } catch (const faults::TraceError& error) {
    complain(fmt::format("{}\ntoposim: nothing was run\n", error.what()));
    return exit_bad_input;
  } catch (const topology::ImportError& error) {
    complain(fmt::format("{}\ntoposim: nothing was looked at\n", error.what()));
    return exit_bad_input;
  } catch (const topology::TopologyError& error) {
    complain(fmt::format("{}: {}\ntoposim: nothing was run\n", scenario, error.what()));
    return exit_bad_input;
  } catch (const recorded::RecordedError& error) {
    complain(fmt::format("{}: {}\ntoposim: nothing was run\n", scenario, error.what()));
    return exit_bad_input;
  } catch (const workloads::WorkloadError& error) {
    complain(fmt::format("{}: {}\ntoposim: nothing was run\n", scenario, error.what()));
    return exit_bad_input;
  } catch (const accuracy::AccuracyError& error) {
    complain(fmt::format("{}: {}\ntoposim: nothing was run\n", scenario, error.what()));
    return exit_bad_input;
  } catch (const ScenarioError& error) {
    complain(fmt::format("{}: {}\ntoposim: nothing was run\n", scenario, error.what()));
    return exit_bad_input;
  } catch (const analysis::ResultFileError& error) {
    complain(fmt::format("{}\ntoposim: nothing was compared or judged\n", error.what()));
    return exit_bad_input;
  } catch (const analysis::FileError& error) {
    complain(fmt::format("toposim: {}; --out DIR writes the results elsewhere\n", error.what()));
  } catch (const std::exception& error) {
    complain(fmt::format("toposim: {}\n", error.what()));
  }
  return exit_failed;
}

}  // namespace toposim::sim
