// The one place that knows yaml-cpp: its parser's events build our tree.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "sim/scenario/did_you_mean.hpp"
#include "sim/scenario/yaml_tree.hpp"

namespace toposim::sim {
namespace {

/// Thrown through the parser, to stop it.
struct Refusal {
  Mark mark;
  std::string why;
};

struct Finished {
  YamlNode node;
  int depth = 0;
  std::size_t values = 0;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(int source, Problems& problems) : last{source, 1, 1}, source_(source), problems_(problems) {}

  YamlNode root;
  Mark last;  ///< of the last event: where to look when the parser gives up at the end

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Mark at = place(mark);
    if (expects_key()) throw Refusal{at, "an empty key; write key: value"};
    // yaml-cpp marks a missing value at the next token: the key says better where it is missing.
    YamlNode node;
    node.mark = !open_.empty() && open_.back().node.kind == YamlNode::Kind::map ? open_.back().key_mark : at;
    accept({std::move(node), 0, 1}, anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const Mark at = place(mark);
    refuse_tag(tag, at);
    if (expects_key()) {
      take_key(at, value, tag == "!", anchor);
      return;
    }
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.text = value;
    node.quoted = tag == "!";
    node.mark = at;
    accept({std::move(node), 0, 1}, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(YamlNode::Kind::list, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapEnd() override { end(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Mark at = place(mark);
    if (expects_key()) throw Refusal{at, "an alias as a key; write the key out"};
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw Refusal{at, "an alias inside the value that it stands for: it would never end"};
    Finished copy = found->second;
    if (static_cast<int>(open_.size()) + copy.depth > deepest_nesting) refuse_depth(at);
    count(copy.values, at);
    accept(std::move(copy), 0, /*counted=*/true);
  }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    bool has_key = false, skip = false, merge = false;
    std::string key;
    Mark key_mark;
    int depth = 1;
    std::size_t values = 1;
    std::vector<YamlNode> merges;
  };

  Mark place(const YAML::Mark& mark) {
    if (mark.is_null()) return Mark{source_, 0, 0};
    last = {source_, mark.line + 1, mark.column + 1};
    return last;
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == YamlNode::Kind::map && !open_.back().has_key;
  }

  static void refuse_tag(const std::string& tag, const Mark& at) {
    if (!tag.empty() && tag != "?" && tag != "!")
      throw Refusal{at, fmt::format("the tag {}; tags are not used here, remove it", in_quotes(tag))};
  }
  [[noreturn]] static void refuse_depth(const Mark& at) {
    throw Refusal{at, fmt::format("nested deeper than {} levels; a scenario needs 6", deepest_nesting)};
  }

  void count(std::size_t values, const Mark& at) {
    values_ += values;
    if (values_ > most_values)
      throw Refusal{at, fmt::format("more than {} values (an alias counts as often as it is used); a scenario needs a "
                                    "few hundred",
                                    most_values)};
  }

  std::string path() const {
    std::string out;
    for (const Open& open : open_) {
      if (open.node.kind == YamlNode::Kind::list)
        out += fmt::format("[{}]", open.node.items.size());
      else if (open.has_key)
        out += (out.empty() ? "" : ".") + open.key;
    }
    return out;
  }

  void take_key(const Mark& at, const std::string& key, bool was_quoted, YAML::anchor_t anchor) {
    if (anchor != 0) throw Refusal{at, "an anchor on a key; put it on the value"};
    const std::string in = path();
    Open& open = open_.back();
    open.has_key = true;
    open.key = key;
    open.key_mark = at;
    open.merge = key == "<<" && !was_quoted;
    const YamlEntry* first = open.merge ? nullptr : open.node.find(key);
    open.skip = first != nullptr;
    if (first != nullptr)
      problems_.add(at, fmt::format("duplicate key {}{}; the first is in line {}", in_quotes(key),
                                    in.empty() ? "" : " in " + in, first->mark.line));
  }

  void start(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const Mark at = place(mark);
    refuse_tag(tag, at);
    if (expects_key())
      throw Refusal{at,
                    "a list or mapping as a key, or a bracket that is never closed; a key is a word, such as nodes"};
    if (static_cast<int>(open_.size()) >= deepest_nesting) refuse_depth(at);
    Open open;
    open.node.kind = kind;
    open.node.mark = at;
    open.anchor = anchor;
    open_.push_back(std::move(open));
  }

  void end() {
    Open done = std::move(open_.back());
    open_.pop_back();
    // A merge key gives the keys that the mapping does not have itself; the first of several merged mappings wins.
    for (YamlNode& merged : done.merges)
      for (YamlEntry& entry : merged.entries)
        if (done.node.find(entry.key) == nullptr) done.node.entries.push_back(std::move(entry));
    accept({std::move(done.node), done.depth, done.values}, done.anchor, /*counted=*/false);
  }

  void accept(Finished value, YAML::anchor_t anchor, bool counted = false) {
    if (!counted) count(1, value.node.mark);
    if (anchor != 0) anchors_[anchor] = value;
    if (open_.empty()) {
      root = std::move(value.node);
      return;
    }
    Open& open = open_.back();
    open.depth = std::max(open.depth, value.depth + 1);
    open.values += value.values;
    if (open.node.kind == YamlNode::Kind::list) {
      open.node.items.push_back(std::move(value.node));
      return;
    }
    open.has_key = false;
    if (open.merge) return take_merge(std::move(value.node));
    if (!open.skip) open.node.entries.push_back({open.key, open.key_mark, std::move(value.node)});
  }

  void take_merge(YamlNode value) {
    Open& open = open_.back();
    std::vector<YamlNode> mappings;
    if (value.kind == YamlNode::Kind::list)
      mappings = std::move(value.items);
    else
      mappings.push_back(std::move(value));
    for (YamlNode& mapping : mappings) {
      if (mapping.kind != YamlNode::Kind::map)
        throw Refusal{open.key_mark, "a merge key (<<) takes an alias of a mapping, such as <<: *base"};
      open.merges.push_back(std::move(mapping));
    }
  }

  int source_;
  Problems& problems_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Finished> anchors_;
  std::size_t values_ = 0;
};

/// yaml-cpp's messages name its grammar; say what to look for.
std::string explain(const std::string& message) {
  const std::pair<const char*, const char*> hints[] = {
      {"illegal map value",
       "a ':' where none can be: check the indentation, and put a value that holds ': ' in quotes"},
      {"end of map not found", "expected another 'key: value' at this indentation: check the indentation and the ':'"},
      {"end of map flow not found", "a '{' without its '}', or a ',' missing inside it"},
      {"end of sequence not found", "expected another '- item' at this indentation"},
      {"end of sequence flow not found", "a '[' without its ']', or a ',' missing inside it"},
      {"illegal EOF in scalar", "a quote that is opened and never closed"},
      {"illegal flow end", "a ']' or '}' that closes nothing"},
      {"the referenced anchor is not defined", "an alias (*name) without its anchor (&name) before it"},
      {"alias not found after *", "a '*' starts an alias in YAML: put the value in quotes"},
      {"anchor not found after &", "an '&' starts an anchor in YAML: put the value in quotes"},
      {"unknown token", "a character that cannot start a value here (such as @, ` or %): put the value in quotes"},
      {"illegal block entry", "a '- ' where no list can be: check the indentation"},
      {"illegal map key", "a key where none can be: check the indentation"},
  };
  for (const auto& [part, hint] : hints)
    if (message.find(part) != std::string::npos) return fmt::format("not valid YAML: {}", hint);
  return fmt::format("not valid YAML: {}", message);
}

/// yaml-cpp takes a quote that is never closed for closed at the end of the file, but not at a document end marker.
/// Where it noticed: the last thing before the quote.
std::optional<Mark> unclosed_quote(std::string_view text, int source) {
  if (text.find_first_of("'\"") == std::string_view::npos) return std::nullopt;
  std::istringstream in{std::string(text) + "\n...\n"};
  Problems ignored;
  TreeBuilder builder(source, ignored);
  try {
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) builder.root = {};
  } catch (const Refusal&) {
  } catch (const YAML::Exception& error) {
    if (error.msg.find("document indicator in scalar") != std::string::npos) return builder.last;
  }
  return std::nullopt;
}

}  // namespace

std::optional<YamlNode> parse_yaml(std::string_view text, int source, Problems& problems) {
  if (const auto quote = unclosed_quote(text, source)) {
    problems.add(*quote, "not valid YAML: a quote that is opened after here is never closed");
    return std::nullopt;
  }
  std::istringstream in{std::string(text)};
  TreeBuilder builder(source, problems);
  try {
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder)) return YamlNode();
    TreeBuilder second(source, problems);
    if (parser.HandleNextDocument(second)) {
      const Mark at = second.root.mark.line > 0 ? second.root.mark : Mark{source, 0, 0};
      problems.add(
          at, "a second YAML document starts here; a scenario file holds one, so remove the '---' and what follows");
      return std::nullopt;
    }
  } catch (const Refusal& refusal) {
    problems.add(refusal.mark, refusal.why);
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    // At the very end there is nothing to see: point at the last thing that made sense.
    const auto lines = std::count(text.begin(), text.end(), '\n') + (text.ends_with('\n') ? 0 : 1);
    const bool at_end = error.mark.is_null() || error.mark.line >= lines;
    problems.add(at_end ? builder.last : Mark{source, error.mark.line + 1, error.mark.column + 1}, explain(error.msg));
    return std::nullopt;
  }
  return std::move(builder.root);
}

const YamlEntry* YamlNode::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const YamlEntry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::map:
      return "a mapping";
    case YamlNode::Kind::scalar:
      break;
  }
  return node.quoted ? "the text " + in_quotes(node.text) : in_quotes(node.text);
}

}  // namespace toposim::sim
