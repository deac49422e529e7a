#include "sim/scenario/load_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace toposim::sim {
namespace {

/// Length of the UTF-8 character at the front (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF); 0: none.
std::size_t utf8_length(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0u; };
  const auto follows = [&](std::size_t i, unsigned least = 0x80, unsigned most = 0xBF) {
    return byte(i) >= least && byte(i) <= most;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// The column of a tab among the blanks that a line with content starts with; 0: none.
int indentation_tab(std::string_view line) {
  const std::size_t content = line.find_first_not_of(" \t");
  if (content == std::string_view::npos || line[content] == '#') return 0;
  const std::size_t tab = line.substr(0, content).find('\t');
  return tab == std::string_view::npos ? 0 : static_cast<int>(tab) + 1;
}

}  // namespace

std::optional<std::string> load_file(const std::string& file, Problems& problems) {
  const auto refuse = [&](std::string why) {
    problems.add({}, std::move(why));
    return std::nullopt;
  };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return refuse("there is no such file");
  if (std::filesystem::is_directory(status))
    return refuse("this is a directory; name a scenario file, such as a .yaml in it");
  std::ifstream in(file, std::ios::binary);
  if (!in) return refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string bytes(largest_text_bytes + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.bad()) return refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::optional<std::string> clean_text(std::string_view bytes, int source, Problems& problems) {
  const auto refuse = [&](int line, int column, std::string why) {
    problems.add({source, line, column}, std::move(why));
    return std::nullopt;
  };
  if (bytes.size() > largest_text_bytes)
    return refuse(0, 0, "larger than 1 MiB; a scenario is a few kB of YAML, so this is probably another kind of file");
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    return refuse(0, 0, "this is UTF-16; save it as UTF-8");
  const std::size_t mark = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  std::string text;
  text.reserve(bytes.size());
  int line = 1, column = 1;
  for (std::size_t i = mark; i < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte == '\r' || byte == '\n') {
      i += bytes.substr(i).starts_with("\r\n") ? 2 : 1;
      text += '\n';
      ++line;
      column = 1;
      continue;
    }
    if (byte == 0)
      return refuse(line, column, fmt::format("a null byte (byte {} of the file); this is not a text file", i + 1));
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F)
      return refuse(line, column,
                    fmt::format("control character 0x{:02X} (byte {} of the file); remove it", byte, i + 1));
    const std::size_t length = utf8_length(bytes.substr(i));
    if (length == 0)
      return refuse(line, column,
                    fmt::format("not UTF-8: byte 0x{:02X} (byte {} of the file); save the file as UTF-8", byte, i + 1));
    text.append(bytes.substr(i, length));
    i += length;
    column += static_cast<int>(length);
  }
  line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++line;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (const int tab = indentation_tab(std::string_view(text).substr(begin, end - begin)); tab > 0)
      return refuse(line, tab, "a tab in the indentation; YAML takes spaces only");
    begin = end + 1;
  }
  return text;
}

}  // namespace toposim::sim
