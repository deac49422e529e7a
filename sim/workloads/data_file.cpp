#include "sim/workloads/data_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/workloads/error.hpp"

namespace toposim::workloads {

std::string read_data_file(const std::string& path, std::size_t byte_limit, std::string_view advice) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw WorkloadError(fmt::format("{}: {}; {}", path, std::strerror(errno), advice));
  std::string bytes;
  std::size_t size = 0;
  for (;;) {
    bytes.resize(size + (std::size_t{1} << 20));
    const std::size_t got = std::fread(bytes.data() + size, 1, bytes.size() - size, file.get());
    size += got;
    if (size > byte_limit)
      throw WorkloadError(
          fmt::format("{}: more than {} bytes; this is not the file it should be; {}", path, byte_limit, advice));
    if (got == 0) break;
  }
  if (std::ferror(file.get())) throw WorkloadError(fmt::format("{}: cannot be read; {}", path, advice));
  bytes.resize(size);
  return bytes;
}

std::string gunzip(std::string_view packed, std::string_view name, std::size_t byte_limit) {
  const auto refuse = [&](std::size_t offset, std::string_view what) {
    throw WorkloadError(fmt::format("{}: offset {}: {}; reinstall the file", name, offset, what));
  };
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw WorkloadError("zlib: inflateInit2 failed");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &inflateEnd);
  std::string bytes;
  std::size_t size = 0, fed = 0;
  for (;;) {
    if (stream.avail_in == 0) {
      const std::size_t part = std::min<std::size_t>(packed.size() - fed, 1u << 24);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + fed));
      stream.avail_in = static_cast<uInt>(part);
      fed += part;
    }
    // One byte beyond the limit, to see whether there is one.
    if (size == bytes.size()) bytes.resize(std::min(byte_limit + 1, size + (std::size_t{1} << 20)));
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + size);
    stream.avail_out = static_cast<uInt>(std::min<std::size_t>(bytes.size() - size, 1u << 24));
    const uInt room = stream.avail_out;
    const int result = inflate(&stream, Z_NO_FLUSH);
    size += room - stream.avail_out;
    const std::size_t offset = fed - stream.avail_in;
    if (size > byte_limit) refuse(offset, fmt::format("unpacks to more than {} bytes", byte_limit));
    if (result == Z_STREAM_END) {
      if (offset != packed.size()) refuse(offset, "bytes after the end of the gzip stream");
      bytes.resize(size);
      return bytes;
    }
    if (result == Z_BUF_ERROR && fed == packed.size() && stream.avail_in == 0)
      refuse(offset, "the gzip stream is cut short");
    if (result != Z_OK && result != Z_BUF_ERROR)
      refuse(offset, fmt::format("not a sound gzip stream ({})", stream.msg ? stream.msg : "zlib gives no reason"));
  }
}

}  // namespace toposim::workloads
