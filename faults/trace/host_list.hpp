#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace toposim::faults {

/// n[001-003,007],gpu12 -> n001, n002, n003, n007, gpu12, as Slurm writes node lists. False, with what is wrong in
/// `why`, for anything else, or for more than host_list_max names.
bool expand_host_list(std::string_view text, std::vector<std::string>& hosts, std::string& why);

inline constexpr std::size_t host_list_max = 200'000;

}  // namespace toposim::faults
