#include "topology/semantic/npy_header.hpp"

#include <fmt/format.h>

#include <limits>

#include "topology/error.hpp"

namespace toposim::topology {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

[[noreturn]] void refuse(const std::string& file, std::uint64_t offset, const std::string& what) {
  throw TopologyError(fmt::format("{}: byte {}: {}", file, offset, what));
}

/// The few Python literals that a header is made of.
class LiteralReader {
 public:
  LiteralReader(std::string_view text, std::uint64_t offset, const std::string& file, std::string_view advice)
      : text_(text), offset_(offset), file_(file), advice_(advice) {}

  [[noreturn]] void fail(const std::string& what) const {
    refuse(file_, offset_ + at_, fmt::format("{}; {}", what, advice_));
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void need(char c, const char* where) {
    if (!take(c)) fail(fmt::format("the header has no '{}' {}", c, where));
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  std::string quoted(const char* what) {
    skip_space();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) {
      fail(fmt::format("{} is not a text in quotes", what));
    }
    const char quote = text_[at_];
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(fmt::format("{} has no closing quote", what));
    std::string result(text_.substr(at_ + 1, end - at_ - 1));
    for (const char c : result) {
      if (c < ' ' || c > '~' || c == '\\') fail(fmt::format("{} holds a character that no header needs", what));
    }
    at_ = end + 1;
    return result;
  }

  bool boolean() {
    skip_space();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return value;
      }
    }
    fail("fortran_order is neither True nor False");
  }

  std::uint64_t whole_number() {
    skip_space();
    const std::size_t first = at_;
    std::uint64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) fail("a size in shape exceeds 64 bits");
      value = value * 10 + digit;
    }
    if (at_ == first) fail("shape is not a tuple of whole numbers");
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote 10L
    return value;
  }

  std::vector<std::uint64_t> tuple() {
    need('(', "where shape starts");
    std::vector<std::uint64_t> sizes;
    while (!take(')')) {
      if (sizes.size() == 32) fail("shape has more than 32 sizes");
      sizes.push_back(whole_number());
      if (!take(',')) {
        need(')', "after the last size of shape");
        break;
      }
    }
    return sizes;
  }

 private:
  std::string_view text_;
  std::uint64_t offset_;
  const std::string& file_;
  std::string_view advice_;
  std::size_t at_ = 0;
};

void read_dictionary(LiteralReader& in, NpyHeader& header) {
  bool has_descr = false, has_order = false, has_shape = false;
  in.need('{', "at its start");
  while (!in.take('}')) {
    const std::string key = in.quoted("a key");
    in.need(':', "after a key");
    bool* seen = key == "descr"           ? &has_descr
                 : key == "fortran_order" ? &has_order
                 : key == "shape"         ? &has_shape
                                          : nullptr;
    if (seen == nullptr) in.fail(fmt::format("unknown key '{}'", key));
    if (*seen) in.fail(fmt::format("key '{}' appears twice", key));
    *seen = true;
    if (seen == &has_descr) header.descr = in.quoted("descr (a structured array has a list here)");
    if (seen == &has_order) header.fortran_order = in.boolean();
    if (seen == &has_shape) header.shape = in.tuple();
    if (!in.take(',')) {
      in.need('}', "at its end");
      break;
    }
  }
  if (!in.at_end()) in.fail("text after the header's dictionary");
  for (const auto& [key, seen] :
       {std::pair<const char*, bool>{"descr", has_descr}, {"fortran_order", has_order}, {"shape", has_shape}}) {
    if (!seen) in.fail(fmt::format("the header has no key '{}'", key));
  }
}

}  // namespace

NpyHeader read_npy_header(std::string_view front, const std::string& file, std::string_view advice) {
  if (front.substr(0, magic.size()) != magic) {
    refuse(file, 0, fmt::format("not a .npy file: it does not start with \\x93NUMPY; {}", advice));
  }
  if (front.size() < 10) refuse(file, front.size(), fmt::format("the file ends inside its header; {}", advice));
  const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(front[i])); };
  const std::uint64_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0) {
    refuse(file, 6, fmt::format("format version {}.{}; versions 1.0, 2.0 and 3.0 are read; {}", major, minor, advice));
  }
  std::uint64_t start = 10, length = byte(8) | byte(9) << 8;
  if (major > 1) {
    start = 12;
    if (front.size() < start) refuse(file, front.size(), fmt::format("the file ends inside its header; {}", advice));
    length |= byte(10) << 16 | byte(11) << 24;
  }
  if (length > npy_header_bytes_max) {
    refuse(file, 8, fmt::format("a header of {} bytes; at most {} are read; {}", length, npy_header_bytes_max, advice));
  }
  if (front.size() < start + length) {
    refuse(file, front.size(), fmt::format("the file ends inside its header of {} bytes; {}", length, advice));
  }
  NpyHeader header;
  header.data_offset = start + length;
  LiteralReader in(front.substr(start, length), start, file, advice);
  read_dictionary(in, header);
  return header;
}

}  // namespace toposim::topology
