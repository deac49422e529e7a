#pragma once
#include <string>

#include "analysis/report/report_style.hpp"
#include "topology/cluster.hpp"

namespace toposim::sim {

/// What an operator wants to know of a fabric: what looks wrong first, then its size, how much it carries, and what one
/// failure takes down. title: the file's name.
std::string topology_report(const std::string& title, const topology::Cluster& cluster,
                            const analysis::ReportStyle& style);

}  // namespace toposim::sim
