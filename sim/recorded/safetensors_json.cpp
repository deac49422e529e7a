#include "sim/recorded/safetensors_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/recorded/problems.hpp"

namespace toposim::recorded {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

constexpr std::size_t dimensions_max = 32, name_bytes_max = 1024;

/// Takes the parser's events one by one: a header of 100 MB as a tree would take a gigabyte.
class HeaderEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  HeaderEvents(const std::string& file, const char* const& at, const char* begin)
      : file_(file), at_(at), begin_(begin) {}
  std::vector<RawTensor> take() { return std::move(tensors_); }

  bool null() override { refuse("null"); }
  bool boolean(bool) override { refuse("true or false"); }
  bool number_integer(number_integer_t) override { refuse("a negative number"); }
  bool number_float(number_float_t, const string_t&) override { refuse("a number that is not whole"); }
  bool binary(binary_t&) override { refuse("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (in_ != In::shape && in_ != In::offsets) refuse("a number");
    std::vector<std::uint64_t>& values = in_ == In::shape ? tensors_.back().shape : tensors_.back().offsets;
    if (values.size() == (in_ == In::shape ? dimensions_max : 2)) refuse("one number too many");
    values.push_back(value);
    return true;
  }
  bool string(string_t& value) override {
    if (in_ == In::metadata) return true;
    if (in_ != In::tensor || key_ != "dtype") refuse("a text");
    tensors_.back().dtype = std::move(value);
    return true;
  }
  bool start_object(std::size_t) override {
    if (in_ == In::nothing) {
      in_ = In::top;
    } else if (in_ == In::top && key_ == "__metadata__") {
      if (has_metadata_) refuse("a second __metadata__");
      has_metadata_ = true;
      in_ = In::metadata;
    } else if (in_ == In::top) {
      if (key_.size() > name_bytes_max) refuse(fmt::format("a name of more than {} bytes", name_bytes_max));
      if (std::ranges::any_of(key_, is_control)) refuse("a name with control characters");
      tensors_.push_back({std::move(key_), {}, {}, {}});
      has_dtype_ = has_shape_ = has_offsets_ = false;
      in_ = In::tensor;
    } else {
      refuse("an object");
    }
    return true;
  }
  bool key(string_t& value) override {
    key_ = std::move(value);
    if (in_ != In::tensor) return true;
    bool* const seen = key_ == "dtype"          ? &has_dtype_
                       : key_ == "shape"        ? &has_shape_
                       : key_ == "data_offsets" ? &has_offsets_
                                                : nullptr;
    if (seen == nullptr) refuse(fmt::format("the key '{}'", shown(key_)));
    if (*seen) refuse(fmt::format("a second '{}'", key_));
    *seen = true;
    return true;
  }
  bool end_object() override {
    if (in_ == In::tensor && !(has_dtype_ && has_shape_ && has_offsets_)) {
      refuse(fmt::format("the end of tensor '{}' without {}", shown(tensors_.back().name),
                         !has_dtype_   ? "dtype"
                         : !has_shape_ ? "shape"
                                       : "data_offsets"));
    }
    in_ = in_ == In::top ? In::nothing : In::top;
    return true;
  }
  bool start_array(std::size_t) override {
    if (in_ != In::tensor || key_ == "dtype") refuse("an array");
    in_ = key_ == "shape" ? In::shape : In::offsets;
    return true;
  }
  bool end_array() override {
    in_ = In::tensor;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    refuse("something that is not JSON");
  }

 private:
  enum class In : std::uint8_t { nothing, top, metadata, tensor, shape, offsets };

  /// The parser has read just beyond what it tells.
  [[noreturn]] void refuse(const std::string& what) const {
    throw RecordedError(fmt::format("{}: byte {}: {} has no place in a safetensors header here; write the file again",
                                    file_, 8 + (at_ - begin_), what));
  }

  const std::string& file_;
  const char* const& at_;
  const char* begin_;
  std::vector<RawTensor> tensors_;
  std::string key_;
  In in_ = In::nothing;
  bool has_metadata_ = false, has_dtype_ = false, has_shape_ = false, has_offsets_ = false;
};

/// An iterator over the text whose position others can see.
struct Cursor {
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char** at = nullptr;
  const char* end = nullptr;

  reference operator*() const { return **at; }
  Cursor& operator++() {
    ++*at;
    return *this;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.position() == b.position(); }
  friend bool operator!=(const Cursor& a, const Cursor& b) { return !(a == b); }
  const char* position() const { return at != nullptr ? *at : end; }
};

}  // namespace

std::vector<RawTensor> parse_safetensors_json(std::string_view text, const std::string& file) {
  if (text.empty() || text.front() != '{') {
    throw RecordedError(
        fmt::format("{}: byte 8: the header does not begin with {{; is it a .safetensors file? write it again", file));
  }
  const char* at = text.data();
  HeaderEvents events(file, at, text.data());
  nlohmann::json::sax_parse(Cursor{&at, nullptr}, Cursor{nullptr, text.data() + text.size()}, &events);
  return events.take();
}

}  // namespace toposim::recorded
