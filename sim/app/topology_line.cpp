#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sim/app/command_line.hpp"
#include "sim/scenario/quantity.hpp"

namespace toposim::sim {
namespace {

constexpr const char* topology_footer =
    "A file whose name ends in .yaml or .yml is a scenario, whose fabric is looked at; any other is what "
    "ibnetdiscover\n"
    "printed, or GraphML, plain or gzip, and --tables what dump_lfts printed with it. Other nodes, rails or rates than "
    "inferred:\n"
    "name the file in a scenario's cluster.import.\n"
    "The picture: toposim topology FILE --dot fabric.dot && dot -Tsvg fabric.dot > fabric.svg\n"
    "Exit status: 0 done, 1 failed, 2 bad input or usage.";

}  // namespace

CommandLine read_topology_line(const std::vector<std::string>& arguments) {
  CommandLine result;
  result.action = CommandLine::Action::topology;
  CLI::App app("What a fabric is made of, what it carries, and what looks wrong with it.", "toposim topology");
  app.footer(topology_footer);
  std::string link_rate;  // read as a scenario's quantities are
  app.add_option("FILE", result.scenario, "fabric file, or scenario");
  app.add_option("--tables", result.topology.tables, "forwarding tables of a fabric file")->type_name("FILE");
  app.add_option("--link-rate", link_rate, "what the most common link of a fabric file carries, such as 400Gbps")
      ->type_name("RATE");
  app.add_option("--dot", result.topology.dot,
                 "writes a picture in Graphviz's language; - is standard output, without the report")
      ->type_name("FILE");
  app.add_option("--graphml", result.topology.graphml,
                 "writes the fabric as GraphML, which can be imported; - likewise")
      ->type_name("FILE");
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them last first
  } catch (const CLI::CallForHelp&) {
    return text_only(app.help());
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  if (result.scenario.empty()) return usage_error("which fabric? such as: toposim topology fabric.ibnetdiscover");
  if (result.topology.dot == "-" && result.topology.graphml == "-")
    return usage_error("--dot and --graphml cannot both go to standard output");
  result.topology.is_scenario = result.scenario.ends_with(".yaml") || result.scenario.ends_with(".yml");
  if (result.topology.is_scenario && !(result.topology.tables.empty() && link_rate.empty()))
    return usage_error("--tables and --link-rate go with a fabric file; a scenario says them in cluster.import");
  if (!link_rate.empty()) {
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.text = link_rate;
    const Parsed<double> rate = parse_quantity(node, Dimension::bandwidth);
    if (!rate.ok()) return usage_error(fmt::format("--link-rate: {}", rate.why_not));
    if (rate.value <= 0) return usage_error("--link-rate: it has to be above 0");
    result.topology.link_rate_Bps = rate.value;
  }
  return result;
}

}  // namespace toposim::sim
