#include "sim/app/faults_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "faults/trace/clock_text.hpp"
#include "sim/app/command_line.hpp"
#include "sim/scenario/did_you_mean.hpp"
#include "sim/scenario/quantity.hpp"

namespace toposim::sim {
namespace {

constexpr const char* faults_footer =
    "Formats, told by content, plain or gzip: csv (start, end, node, component, cause, class by name in the first\n"
    "line), infinitehbd (JSON), lanl (CSV), fta (event_trace.tab), slurm (sacct -P), kernel_log (XIDs, journal or\n"
    "dmesg), simgrid (state profile). A malformed row stops the run unless --lenient; nothing is dropped unsaid.\n"
    "Exit status: 0 done, 1 failed, 2 bad input or usage.";

using Words = std::map<std::string, bool>;
const Words keep_words{{"keep", true}, {"leave_out", false}};

/// A time as scenarios write it, 5s; empty, or what is wrong with it.
std::string read_time(const std::string& text, std::int64_t& ns) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  const Parsed<double> parsed = parse_quantity(node, Dimension::time);
  if (!parsed.ok()) return parsed.why_not;
  if (parsed.value < 0 || parsed.value > 3e9) return "a time of 0 to 95 years";
  ns = static_cast<std::int64_t>(parsed.value * 1e9 + 0.5);
  return {};
}

/// Options that say how to read the file.
void add_reading(CLI::App& app, FaultsLine& line) {
  const std::map<std::string, faults::TraceFormat> formats{
      {"csv", faults::TraceFormat::csv},        {"infinitehbd", faults::TraceFormat::infinitehbd},
      {"lanl", faults::TraceFormat::lanl},      {"fta", faults::TraceFormat::fta},
      {"slurm", faults::TraceFormat::slurm},    {"kernel_log", faults::TraceFormat::kernel_log},
      {"simgrid", faults::TraceFormat::simgrid}};
  app.add_option_function<faults::TraceFormat>(
         "--format", [&line](const faults::TraceFormat& format) { line.format = format; },
         "of the file, where its content does not tell")
      ->type_name("FORMAT")
      ->transform(CLI::CheckedTransformer(formats).description(""));
  app.add_flag("--lenient", line.policies.lenient, "skip malformed rows and list them (default: refuse the file)");
  const auto keep = [&](const char* name, bool& value, const char* what) {
    app.add_option(name, value, what)
        ->type_name("keep|leave_out")
        ->transform(CLI::CheckedTransformer(keep_words).description(""));
  };
  keep("--planned", line.policies.keep_planned, "planned work (default: leave_out)");
  keep("--open", line.policies.keep_open, "faults that had not ended; their repair is censored (default: keep)");
  keep("--unknown-nodes", line.policies.keep_unknown_nodes, "faults of no named node (default: keep, as node '?')");
  app.add_option("--node-name", line.policies.node, "node of a dmesg or SimGrid file (default: the file's name)")
      ->type_name("NAME");
  app.add_option("--year", line.policies.year, "of the first line of a log without years (default: 1970)")
      ->type_name("N")
      ->check(CLI::Range(1830, 2110));
}

void add_analysis(CLI::App& app, FaultsLine& line) {
  app.add_option("--nodes", line.nodes, "nodes there are, failed or not (default: those that the file names)")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000));
  app.add_option("--gpus-per-node", line.gpus_per_node, "for the table of jobs (default: 8)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.add_option("--from", line.from, "start of the window: a time since the file's zero (30d) or a date")
      ->type_name("TIME");
  app.add_option("--to", line.to, "its end")->type_name("TIME");
  app.add_option("--class", line.fault_class, "only faults of this class")
      ->type_name("CLASS")
      ->check(
          CLI::IsMember({"hardware", "software", "network", "environment", "human", "planned", "other", "unknown"}));
  app.add_option("--component", line.component, "only faults of this component")->type_name("NAME");
  app.add_option("--cause", line.cause, "only faults of this cause")->type_name("NAME");
  const std::map<std::string, faults::ZeroGaps> zeros{{"leave_out", faults::ZeroGaps::leave_out},
                                                      {"half_smallest", faults::ZeroGaps::half_smallest}};
  app.add_option("--zero-gaps", line.zero_gaps,
                 "times of zero length in fits, or half of the smallest in their place (default: leave_out)")
      ->type_name("leave_out|half_smallest")
      ->transform(CLI::CheckedTransformer(zeros).description(""));
  const std::map<std::string, faults::Overlaps> overlaps{{"merge", faults::Overlaps::merge},
                                                         {"separate", faults::Overlaps::separate}};
  app.add_option("--overlaps", line.overlaps, "faults of a node that overlap, in its down time (default: merge)")
      ->type_name("merge|separate")
      ->transform(CLI::CheckedTransformer(overlaps).description(""));
  app.add_option("--bootstrap", line.bootstrap.draws, "draws for the p of the distance of Kolmogorov and Smirnov")
      ->type_name("N")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--seed", line.bootstrap.seed, "of those draws (default: 1)")->type_name("N");
}

}  // namespace

CommandLine read_faults_line(const std::vector<std::string>& arguments) {
  CommandLine result;
  result.action = CommandLine::Action::faults;
  FaultsLine& line = result.faults;
  CLI::App app("What breaks, how often and for how long, from a trace of real failures.", "toposim faults");
  app.footer(faults_footer);
  std::string coalesce, utc_offset;
  app.add_option("TRACE", line.trace, "file of a trace");
  app.add_option("--out", result.out, "directory for results.json, hazard.csv, quantiles.csv")->type_name("DIR");
  app.add_option("--model", line.model, "write a scenario's section `faults` that was fitted to it")->type_name("FILE");
  app.add_flag("--quiet", result.quiet, "no report, results files only");
  add_analysis(app, line);
  add_reading(app, line);
  app.add_option("--coalesce", coalesce, "kernel logs: one fault where a GPU repeats an XID within (default: 5s)")
      ->type_name("TIME");
  app.add_option("--utc-offset", utc_offset, "of wall clocks without one, such as -07:00 (default: Z)")
      ->type_name("OFFSET");
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them last first
  } catch (const CLI::CallForHelp&) {
    return text_only(app.help());
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  if (line.trace.empty()) return usage_error("which trace? such as: toposim faults failures.csv --nodes 400");
  if (result.quiet && result.out.empty() && line.model.empty())
    return usage_error("--quiet without --out DIR or --model FILE leaves nothing to show");
  if (!coalesce.empty())
    if (const std::string wrong = read_time(coalesce, line.policies.coalesce_ns); !wrong.empty())
      return usage_error(fmt::format("--coalesce: {}", wrong));
  if (!utc_offset.empty() && !faults::parse_utc_offset(utc_offset, line.policies.utc_offset_s))
    return usage_error(fmt::format("--utc-offset: expected -07:00 or Z, got {}", sim::in_quotes(utc_offset)));
  return result;
}

}  // namespace toposim::sim
