#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sim/app/command_line.hpp"
#include "sim/scenario/quantity.hpp"

namespace toposim::sim {
namespace {

constexpr const char* judge_footer =
    "Each DIR holds the runs.csv or gradient.csv of an accuracy study that had the scheme and those it is judged "
    "against:\n"
    "  toposim judge ebayes out/judge_mlp out/judge_gpt\n"
    "Final losses: paired by seed; not inferior where the difference is shown to be below max(margin, 2 standard\n"
    "errors), corrected over all cells (Holm). Gradients: the mean error over the draws, at most the bound times that\n"
    "of the better one.\n"
    "Exit status: 0 every cell holds, 1 one does not, 2 bad input or usage.";

}  // namespace

CommandLine read_judge_line(const std::vector<std::string>& arguments) {
  CommandLine result;
  result.action = CommandLine::Action::judge;
  CLI::App app("Is a scheme at least as good as the better of others, whatever the faults?", "toposim judge");
  app.footer(judge_footer);
  std::string margin;
  std::vector<std::string> references;
  app.add_option("SCHEME", result.judge.scheme, "the scheme that is judged");
  app.add_option("DIR", result.studies, "folders of results");
  app.add_option("--against", references, "schemes that it has to be no worse than (default: drop,literal)")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--margin", margin, "of the final loss that is not worth speaking of (default: 0.3%)")
      ->type_name("SHARE");
  app.add_option("--bound", result.judge.error_bound, "of the gradient's error over the better one's (default: 1.02)")
      ->type_name("RATIO")
      ->check(CLI::PositiveNumber);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them last first
  } catch (const CLI::CallForHelp&) {
    return text_only(app.help());
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  if (result.studies.empty())
    return usage_error("which scheme, in which results? such as: toposim judge ebayes out/NAME");
  if (!references.empty()) result.judge.references = references;
  for (const std::string& reference : result.judge.references)
    if (reference == result.judge.scheme)
      return usage_error(fmt::format("--against {}: that is the scheme itself", reference));
  if (!margin.empty()) {
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.text = margin;
    const Parsed<double> parsed = parse_share(node);
    if (!parsed.ok()) return usage_error(fmt::format("--margin: {}", parsed.why_not));
    if (parsed.value < 0) return usage_error(fmt::format("--margin {}: it has to be at least 0", margin));
    result.judge.margin_share = parsed.value;
  }
  return result;
}

}  // namespace toposim::sim
