#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace toposim::workloads {

/// The bytes of a file of at most `byte_limit`. Throws WorkloadError; `advice` ends the message of a missing file.
std::string read_data_file(const std::string& path, std::size_t byte_limit, std::string_view advice);

/// Unpacks one gzip member and checks its CRC. `name` is for messages; more than `byte_limit` bytes, a damaged or cut
/// stream, or bytes after it throw WorkloadError.
std::string gunzip(std::string_view packed, std::string_view name, std::size_t byte_limit);

}  // namespace toposim::workloads
