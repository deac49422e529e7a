#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sim/app/command_line.hpp"
#include "sim/scenario/did_you_mean.hpp"
#include "sim/scenario/quantity.hpp"

namespace toposim::sim {
namespace {

constexpr const char* compare_footer =
    "PATTERN is a path as the table of differences shows it, * for any characters in it:\n"
    "  toposim compare out/old out/new --tolerance 'schemes.*.metrics.ettr.mean=1%' --ignore 'fabric.*'\n"
    "Of several tolerances that fit a path the last counts. Scenario, seed, gates, warnings, versions and cost are\n"
    "not compared; where the digests are the same, so is the rest. --statistical takes Welch's intervals, wide\n"
    "enough that 95 % holds for all means together (Bonferroni), and leaves out what other draws change without\n"
    "a spread: time shares, states of the fabric, scenes, gradients, placement.\n"
    "Exit status: 0 they agree, 1 they differ, 2 bad input or usage.";

/// A relative tolerance, 1e-6 or 0.1%, as a scenario's shares are written.
Parsed<double> parse_tolerance(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  Parsed<double> parsed = parse_share(node);
  if (parsed.ok() && parsed.value < 0)
    parsed.why_not = fmt::format("it has to be at least 0, got {}", sim::in_quotes(text));
  return parsed;
}

/// PATTERN=VALUE; what is wrong with it, or nothing.
std::string read_tolerance(const std::string& text, analysis::CompareOptions& options) {
  const auto equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0)
    return fmt::format("--tolerance takes PATTERN=VALUE, such as '*.mean=1%', got {}", sim::in_quotes(text));
  const auto parsed = parse_tolerance(text.substr(equals + 1));
  if (!parsed.ok()) return fmt::format("--tolerance {}: {}", text, parsed.why_not);
  options.tolerances.emplace_back(text.substr(0, equals), parsed.value);
  return {};
}

}  // namespace

CommandLine read_compare_line(const std::vector<std::string>& arguments) {
  CommandLine result;
  result.action = CommandLine::Action::compare;
  CLI::App app("Do the results of two runs agree?", "toposim compare");
  app.footer(compare_footer);
  std::string rtol;  // read as a scenario's shares are, so that the same rules and words apply
  std::vector<std::string> tolerances;
  app.add_option("A", result.a, "folder of results, or a results.json");
  app.add_option("B", result.b, "what to compare it with");
  app.add_option("--rtol", rtol, "relative difference up to which numbers agree (default: 0)")->type_name("VALUE");
  app.add_option("--tolerance", tolerances, "the same for some paths")
      ->type_name("PATTERN=VALUE")
      ->allow_extra_args(false);
  app.add_option("--ignore", result.compare.ignored, "paths that are not compared")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  app.add_flag("--statistical", result.compare.statistical,
               "for runs of other seeds: compare means by the 95 % intervals of their differences");
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them last first
  } catch (const CLI::CallForHelp&) {
    return text_only(app.help());
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  if (result.b.empty()) return usage_error("which two? such as: toposim compare out/old out/new");
  if (!rtol.empty()) {
    const auto parsed = parse_tolerance(rtol);
    if (!parsed.ok()) return usage_error(fmt::format("--rtol: {}", parsed.why_not));
    result.compare.relative_tolerance = parsed.value;
  }
  for (const std::string& text : tolerances)
    if (const std::string wrong = read_tolerance(text, result.compare); !wrong.empty()) return usage_error(wrong);
  return result;
}

}  // namespace toposim::sim
