#include "topology/import/link_speed.hpp"

#include <utility>

namespace toposim::topology {
namespace {

// Gbit/s of a lane. SDR to QDR signal at 2.5, 5 and 10 with 8b/10b coding, FDR at 14.0625 with 64b/66b; FDR10 and those
// from EDR on are named by their data rate. InfiniBand Architecture Specification, volume 2.
constexpr std::pair<std::string_view, double> lane_Gbps[] = {
    {"SDR", 2},  {"DDR", 4},  {"QDR", 8},   {"FDR10", 10}, {"FDR", 14.0625 * 64 / 66},
    {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};
constexpr std::pair<std::string_view, int> widths[] = {{"1x", 1}, {"2x", 2}, {"4x", 4}, {"8x", 8}, {"12x", 12}};

}  // namespace

std::optional<double> link_bandwidth_Bps(std::string_view text) {
  for (const auto& [width, lanes] : widths) {
    if (!text.starts_with(width)) continue;
    for (const auto& [speed, Gbps] : lane_Gbps)
      if (text.substr(width.size()) == speed) return lanes * Gbps * 1e9 / 8;
  }
  return std::nullopt;
}

std::string_view link_speed_words() {
  return "1x, 2x, 4x, 8x or 12x of SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR or XDR, such as 4xNDR";
}

}  // namespace toposim::topology
