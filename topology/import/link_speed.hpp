#pragma once
#include <optional>
#include <string_view>

namespace toposim::topology {

/// Data rate of an InfiniBand link from its width and speed, 4xNDR, per direction: lanes x the rate of a lane after
/// line coding. Nothing for words that are none.
std::optional<double> link_bandwidth_Bps(std::string_view width_and_speed);

/// The speeds that are known, for messages.
std::string_view link_speed_words();

}  // namespace toposim::topology
