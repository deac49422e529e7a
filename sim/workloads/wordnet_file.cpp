#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/workloads/data_file.hpp"
#include "sim/workloads/error.hpp"
#include "sim/workloads/wordnet_data.hpp"

namespace toposim::workloads {

namespace {

/// Reads a line word by word; the first thing wrong ends in an error with the line's number.
class Line {
 public:
  Line(std::string_view text, std::string_view name, std::size_t number) : rest_(text), name_(name), number_(number) {}

  [[noreturn]] void refuse(std::string_view what) const {
    throw WorkloadError(fmt::format("{}:{}: {}; reinstall Debian's package wordnet-base", name_, number_, what));
  }

  std::string_view word(std::string_view what) {
    const std::size_t end = rest_.find(' ');
    if (end == std::string_view::npos || end == 0) refuse(fmt::format("no {} where one should be", what));
    const std::string_view w = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return w;
  }

  /// A number of exactly so many digits.
  std::size_t number(std::string_view what, std::size_t digits, int base = 10) {
    const std::string_view w = word(what);
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value, base);
    if (w.size() != digits || error != std::errc() || end != w.data() + w.size())
      refuse(fmt::format("{} '{}' is not a number of {} digits", what, shortened(w), digits));
    return value;
  }

  std::string_view rest() const { return rest_; }
  static std::string_view shortened(std::string_view w) { return w.substr(0, 40); }

 private:
  std::string_view rest_, name_;
  std::size_t number_;
};

/// "beautiful(p)" to "beautiful", "cup_of_tea" to "cup of tea".
std::string plain_word(std::string_view word) {
  for (const std::string_view marker : {"(a)", "(p)", "(ip)"})
    if (word.size() > marker.size() && word.substr(word.size() - marker.size()) == marker)
      word.remove_suffix(marker.size());
  std::string plain(word);
  std::replace(plain.begin(), plain.end(), '_', ' ');
  return plain;
}

Synset parse_line(Line line, std::size_t offset, char letter) {
  if (const std::size_t stated = line.number("synset offset", 8); stated != offset)
    line.refuse(fmt::format("says it is at byte {}, but is at {}", stated, offset));
  Synset synset;
  const std::size_t field = line.number("lexicographer file", 2);
  if (field >= lexicographer_files)
    line.refuse(fmt::format("lexicographer file {}, expected 00 to {}", field, lexicographer_files - 1));
  synset.field = static_cast<std::uint8_t>(field);
  const std::string_view type = line.word("synset type");
  if (type != std::string_view(&letter, 1) && !(letter == 'a' && type == "s"))
    line.refuse(fmt::format("synset type '{}', expected '{}'", Line::shortened(type), letter));
  const std::size_t words = line.number("word count", 2, 16);
  if (words == 0) line.refuse("a synset without words");
  for (std::size_t i = 0; i < words; ++i) {
    synset.text += (i ? ", " : "") + plain_word(line.word("word"));
    line.number("lexical id", 1, 16);
  }
  const std::size_t pointers = line.number("pointer count", 3);
  for (std::size_t i = 0; i < pointers; ++i) {
    line.word("pointer symbol");
    line.number("pointer offset", 8);
    line.word("pointer's part of speech");
    line.number("pointer's source and target", 4, 16);
  }
  if (letter == 'v')
    for (std::size_t frames = line.number("frame count", 2); frames > 0; --frames) {
      if (line.word("frame mark") != "+") line.refuse("a verb frame does not start with '+'");
      line.number("frame number", 2);
      line.number("frame's word", 2, 16);
    }
  if (line.word("bar before the gloss") != "|") line.refuse("no '|' before the gloss");
  std::string_view gloss = line.rest();
  while (!gloss.empty() && gloss.back() == ' ') gloss.remove_suffix(1);
  while (!gloss.empty() && gloss.front() == ' ') gloss.remove_prefix(1);
  if (gloss.empty()) line.refuse("an empty gloss");
  synset.text += ": ";
  synset.text += gloss;
  synset.text += '\n';
  return synset;
}

}  // namespace

std::vector<Synset> parse_wordnet(std::string_view bytes, std::string_view name, char letter) {
  std::vector<Synset> synsets;
  std::size_t number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    ++number;
    const std::size_t end = bytes.find('\n', at);
    const std::string_view text = bytes.substr(at, end == std::string_view::npos ? end : end - at);
    const Line line(text, name, number);
    if (end == std::string_view::npos) line.refuse("the last line does not end: the file is cut short");
    const auto strange = std::find_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; });
    if (strange != text.end())
      line.refuse(fmt::format("byte {:#04x} at column {}; WordNet is printable ASCII",
                              static_cast<unsigned char>(*strange), strange - text.begin() + 1));
    // The licence at the top is the only text that is indented.
    if (text.substr(0, 2) != "  ")
      synsets.push_back(parse_line(line, at, letter));
    else if (!synsets.empty())
      line.refuse("an indented line after the first synset");
    at = end + 1;
  }
  if (synsets.empty())
    throw WorkloadError(fmt::format("{}: no synset in it; reinstall Debian's package wordnet-base", name));
  return synsets;
}

WordnetData read_wordnet(const std::string& directory) {
  std::vector<Synset> synsets;
  for (const WordnetFile& file : wordnet_files) {
    const std::string path = fmt::format("{}/data.{}", directory, file.suffix);
    const std::string bytes =
        read_data_file(path, 64u << 20, "install Debian's package wordnet-base, or name another directory");
    for (Synset& synset : parse_wordnet(bytes, path, file.letter)) synsets.push_back(std::move(synset));
  }
  return sample_synsets(synsets);
}

const std::vector<std::string>& wordnet_field_names() {
  static const std::vector<std::string> names = {"adj.all",          "adj.pert",           "adv.all",
                                                 "noun.Tops",        "noun.act",           "noun.animal",
                                                 "noun.artifact",    "noun.attribute",     "noun.body",
                                                 "noun.cognition",   "noun.communication", "noun.event",
                                                 "noun.feeling",     "noun.food",          "noun.group",
                                                 "noun.location",    "noun.motive",        "noun.object",
                                                 "noun.person",      "noun.phenomenon",    "noun.plant",
                                                 "noun.possession",  "noun.process",       "noun.quantity",
                                                 "noun.relation",    "noun.shape",         "noun.state",
                                                 "noun.substance",   "noun.time",          "verb.body",
                                                 "verb.change",      "verb.cognition",     "verb.communication",
                                                 "verb.competition", "verb.consumption",   "verb.contact",
                                                 "verb.creation",    "verb.emotion",       "verb.motion",
                                                 "verb.perception",  "verb.possession",    "verb.social",
                                                 "verb.stative",     "verb.weather",       "adj.ppl"};
  return names;
}

}  // namespace toposim::workloads
