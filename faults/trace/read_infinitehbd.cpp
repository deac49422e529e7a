#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "faults/trace/error.hpp"
#include "faults/trace/fields.hpp"
#include "faults/trace/readers.hpp"

namespace toposim::faults {
namespace {

/// Where the parser is; shared by the copies of an iterator. Lines are counted when asked for, not byte by byte.
class Position {
 public:
  explicit Position(TextSource& source) : text_(source) { refill(); }

  bool ended() const { return at_ == end_; }
  char byte() const { return *at_; }
  void advance() {
    if (++at_ == end_) refill();
  }
  /// Somebody took a value: what follows is another. A value that fills a block of its own is none.
  void taken() { blocks_since_value_ = 0; }
  std::uint64_t line() {
    count();
    return line_;
  }
  std::uint64_t column() {
    count();
    return column_;
  }

 private:
  void refill() {
    count();
    if (++blocks_since_value_ > 2)
      throw TraceError(
          fmt::format("line {}: more than {} bytes without a value's end", line_, TextSource::block_bytes));
    const std::string_view block = text_.next_block();
    counted_ = at_ = block.data();
    end_ = at_ + block.size();
  }
  void count() {
    for (; counted_ != at_; ++counted_) {
      column_ = *counted_ == '\n' ? 1 : column_ + 1;
      line_ += *counted_ == '\n' ? 1 : 0;
    }
  }

  TextSource& text_;
  const char *at_ = nullptr, *end_ = nullptr, *counted_ = nullptr;
  int blocks_since_value_ = 0;
  std::uint64_t line_ = 1, column_ = 1;
};

class Bytes {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit Bytes(Position* position) : position_(position) {}
  char operator*() const { return position_->byte(); }
  Bytes& operator++() {
    position_->advance();
    return *this;
  }
  /// Only ever compared with the end, which has no position.
  friend bool operator==(const Bytes& a, const Bytes& b) { return a.ended() == b.ended(); }
  friend bool operator!=(const Bytes& a, const Bytes& b) { return !(a == b); }

 private:
  bool ended() const { return position_ == nullptr || position_->ended(); }
  Position* position_;
};

TraceClass class_of(std::string_view level) {
  if (level == "Hardware Failure") return TraceClass::hardware;
  if (level == "Software Failure") return TraceClass::software;
  return level == "Other Failure" ? TraceClass::other : TraceClass::unknown;
}

/// Calls of the parser, turned into events. Depth 1 is the list, 2 an event, 3 its type.
class EventHandler {
 public:
  using json = nlohmann::json;
  EventHandler(Position& position, TraceBuilder& builder) : position_(position), builder_(builder) {}

  bool null() { return value("null"); }
  bool boolean(bool on) { return value(on ? "true" : "false"); }
  bool number_integer(json::number_integer_t number) { return value(std::to_string(number)); }
  bool number_unsigned(json::number_unsigned_t number) { return value(std::to_string(number)); }
  bool number_float(json::number_float_t, const std::string& text) { return value(text); }
  bool string(const std::string& text) { return value(text); }
  bool binary(const json::binary_t&) { return false; }
  bool start_object(std::size_t) {
    enter(depth_ == 0 ? "an object" : "");
    if (depth_ == 2) {
      line_ = position_.line();
      node_.clear(), time_.clear(), type_.clear(), level_.clear(), class_.clear(), description_.clear();
    }
    return true;
  }
  bool end_object() {
    position_.taken();
    if (--depth_ == 1) event();
    return true;
  }
  bool start_array(std::size_t) {
    enter(depth_ == 0 ? "" : "a list inside it");
    return true;
  }
  bool end_array() {
    --depth_;
    return true;
  }
  bool key(const std::string& text) {
    position_.taken();
    key_ = text;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception&) {
    throw TraceError(fmt::format("{}:{}:{}: no JSON from here on; the file was cut or changed", builder_.trace().file,
                                 position_.line(), position_.column()));
  }

  void finish() {
    struct Open {
      const std::string* key;
      Start start;
    };
    std::vector<Open> left;
    for (const auto& [key, starts] : open_)
      for (const Start& start : starts) left.push_back({&key, start});
    std::sort(left.begin(), left.end(), [](const Open& a, const Open& b) { return a.start.line < b.start.line; });
    for (const Open& one : left) add(*one.key, one.start, 0, Ending::open);
  }

 private:
  struct Start {
    std::int64_t time_ns;
    std::uint64_t line;
  };

  void enter(std::string_view instead) {
    position_.taken();
    if (!instead.empty() || ++depth_ > 3)
      throw TraceError(fmt::format("{}:{}:{}: expected a list of events, got {}", builder_.trace().file,
                                   position_.line(), position_.column(),
                                   instead.empty() ? "something nested deeper" : instead));
  }

  bool value(std::string_view text) {
    position_.taken();
    if (depth_ == 1)
      builder_.problem(position_.line(), position_.column(),
                       fmt::format("expected an event in braces, got {}", in_quotes(text)));
    else if (std::string* field = depth_ == 2 ? event_field() : type_field(); field != nullptr)
      *field = text;
    return true;
  }
  std::string* event_field() {
    return key_ == "node_id" ? &node_ : key_ == "event_time" ? &time_ : key_ == "event_type" ? &type_ : nullptr;
  }
  std::string* type_field() {
    return key_ == "Level" ? &level_ : key_ == "Class" ? &class_ : key_ == "Desc" ? &description_ : nullptr;
  }

  void event() {
    builder_.count_row();
    std::int64_t time_ns = 0;
    if (time_.empty() || !parse_units(time_, day_ns, time_ns))
      return builder_.problem(line_, 0, fmt::format("event_time is a number of days, got {}", in_quotes(time_)));
    if (type_ != "fault_start" && type_ != "fault_end")
      return builder_.problem(line_, 0,
                              fmt::format("event_type is fault_start or fault_end, got {}", in_quotes(type_)));
    builder_.see_time(time_ns);
    const std::string key = node_ + '\0' + level_ + '\0' + class_ + '\0' + description_;
    auto found = open_.find(key);
    if (type_ == "fault_start") {
      if (++open_count_ > builder_.policies().records_max)
        throw TraceError(fmt::format("{}:{}: more than {} faults open at once, which is what is held in memory",
                                     builder_.trace().file, line_, builder_.policies().records_max));
      if (found == open_.end()) found = open_.try_emplace(key).first;
      found->second.push_back({time_ns, line_});
      return;
    }
    if (found == open_.end())
      return builder_.problem(
          line_, 0,
          fmt::format("a fault_end of node {} that has no fault_start of the same type before it", in_quotes(node_)));
    const Start start = found->second.front();
    found->second.pop_front();
    --open_count_;
    if (found->second.empty()) open_.erase(found);
    add(key, start, time_ns, Ending::closed);
  }

  void add(std::string_view key, const Start& start, std::int64_t end_ns, Ending ending) {
    std::vector<Field> parts;
    split(key, '\0', parts);
    FaultRow row;
    row.start_ns = start.time_ns;
    row.end_ns = end_ns;
    row.ending = ending;
    row.node = parts[0].text;
    row.fault_class = class_of(parts[1].text);
    row.component = parts[2].text;
    row.cause = parts[3].text;
    row.line = start.line;
    builder_.add(row);
  }

  Position& position_;
  TraceBuilder& builder_;
  int depth_ = 0;
  std::uint64_t line_ = 0, open_count_ = 0;
  std::string key_, node_, time_, type_, level_, class_, description_;
  std::unordered_map<std::string, std::deque<Start>> open_;  // walked once, then sorted
};

}  // namespace

void read_infinitehbd(TextSource& text, TraceBuilder& builder) {
  Position position(text);
  EventHandler handler(position, builder);
  nlohmann::json::sax_parse(Bytes(&position), Bytes(nullptr), &handler);
  handler.finish();
  builder.see_time(0);  // its days count from the start of the recording
  builder.note("times are days since the start of the recording; the file marks nothing as planned");
}

}  // namespace toposim::faults
