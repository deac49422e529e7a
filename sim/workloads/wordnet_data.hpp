#pragma once
// WordNet (Princeton, version 3): glosses as text to predict, lexicographer files as the semantic field of each.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::workloads {

inline constexpr std::size_t lexicographer_files = 45;

/// A set of synonyms and what it means, as "word, word: gloss\n".
struct Synset {
  std::uint8_t field = 0;  ///< number of its lexicographer file
  std::string text;
};

/// The part of speech of a data file, and the letter of its synsets (adjectives may be 's' as well).
struct WordnetFile {
  std::string_view suffix;
  char letter;
};
inline constexpr std::array<WordnetFile, 4> wordnet_files = {
    {{"noun", 'n'}, {"verb", 'v'}, {"adj", 'a'}, {"adv", 'r'}}};

/// One data file in the format of wndb(5WN). Each line's offset, counts and field are checked. Throws WorkloadError
/// with the line; `name` is for messages.
std::vector<Synset> parse_wordnet(std::string_view bytes, std::string_view name, char letter);

/// 65 bytes: 64 to read, and after each the next one to predict.
inline constexpr std::size_t text_context = 64, text_bytes = text_context + 1;

struct TextSamples {
  std::vector<std::uint8_t> bytes;   ///< sample by sample, below 128
  std::vector<std::uint8_t> fields;  ///< the lexicographer file of each

  std::size_t size() const { return fields.size(); }
  std::span<const std::uint8_t> sample(std::size_t i) const { return {bytes.data() + i * text_bytes, text_bytes}; }
};

struct WordnetData {
  TextSamples training, held_out;
};

/// A sample per synset: its text, cut at 65 bytes, or continued with the next synsets of its field and of its side of
/// the split (after the last, the first). Of each field every 20th synset is held out. In the order given.
WordnetData sample_synsets(const std::vector<Synset>& synsets);

/// data.noun, data.verb, data.adj and data.adv of a directory, in this order. Throws WorkloadError.
WordnetData read_wordnet(const std::string& directory);

/// By number, as lexnames(5WN) has them.
const std::vector<std::string>& wordnet_field_names();

}  // namespace toposim::workloads
