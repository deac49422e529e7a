#include "sim/workloads/wordnet_data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "readers.hpp"
#include "workload_fixtures.hpp"

namespace toposim::workloads {
namespace {

const std::string licence = "  1 This software and database is being provided to you  \n";

/// Lines with their true offsets in front.
std::string data_file(const std::vector<std::string>& lines) {
  std::string bytes = licence;
  for (const std::string& line : lines) bytes += fmt::format("{:08} {}\n", bytes.size(), line);
  return bytes;
}

std::string message(const std::string& line, char letter = 'n') {
  return testing::message_of([&] { parse_wordnet(data_file({line}), "data.x", letter); });
}

const std::string cup = "06 n 02 cup 0 tea_cup 1 001 @ 00000001 n 0000 | a small container; \"put the cup back\"  ";
const std::string breathe = "29 v 01 breathe 0 001 @ 00000001 v 0000 02 + 02 00 + 08 00 | draw air in  ";

TEST(WordnetData, WordsAndGloss) {
  const auto nouns = parse_wordnet(data_file({cup, "05 n 01 cat 0 000 | a feline"}), "data.noun", 'n');
  ASSERT_EQ(nouns.size(), 2u);
  EXPECT_EQ(nouns[0].text, "cup, tea cup: a small container; \"put the cup back\"\n");
  EXPECT_EQ(nouns[0].field, 6);
  EXPECT_EQ(nouns[1].text, "cat: a feline\n");
  EXPECT_EQ(parse_wordnet(data_file({breathe}), "data.verb", 'v')[0].text, "breathe: draw air in\n");
  const auto adjectives = parse_wordnet(data_file({"00 s 02 alive(p) 0 quick(ip) a 000 | living"}), "data.adj", 'a');
  EXPECT_EQ(adjectives[0].text, "alive, quick: living\n");
}

TEST(WordnetData, ErrorsSayWhichLine) {
  EXPECT_SAYS(parse_wordnet(licence + "00000001 " + cup + "\n", "data.noun", 'n'),
              "data.noun:2: says it is at byte 1, but is at 58; reinstall Debian's package wordnet-base");
  EXPECT_SAYS(parse_wordnet(data_file({cup}) + "00000175 06 n", "data.noun", 'n'),
              "data.noun:3: the last line does not");
  EXPECT_SAYS(parse_wordnet(licence, "data.noun", 'n'), "data.noun: no synset in it");
  EXPECT_SAYS(parse_wordnet("", "data.noun", 'n'), "data.noun: no synset in it");
  EXPECT_SAYS(parse_wordnet(data_file({cup}) + licence, "data.noun", 'n'),
              ":3: an indented line after the first synset");
  EXPECT_NE(message("45 n 01 cup 0 000 | a").find("data.x:2: lexicographer file 45, expected 00 to 44"),
            std::string::npos);
  EXPECT_NE(message(cup, 'v').find("synset type 'n', expected 'v'"), std::string::npos);
  EXPECT_NE(message("06 s 01 cup 0 000 | a").find("synset type 's', expected 'n'"), std::string::npos);
  EXPECT_NE(message("06 n 00 000 | a").find("a synset without words"), std::string::npos);
  EXPECT_NE(message("06 n ff cup 0 000 | a").find("'|' is not a number"), std::string::npos);
  EXPECT_NE(message("06 n 1 cup 0 000 | a").find("word count '1' is not a number of 2 digits"), std::string::npos);
  EXPECT_NE(message("06 n -1 cup 0 000 | a").find("word count '-1' is not a number"), std::string::npos);
  EXPECT_NE(message("06 n 01 cup 0 999 @ 00000001 n 0000 | a").find("pointer"), std::string::npos);
  EXPECT_NE(message("06 n 01 cup 0 000 a gloss").find("no '|' before the gloss"), std::string::npos);
  EXPECT_NE(message("06 n 01 cup 0 000 |   ").find("an empty gloss"), std::string::npos);
  EXPECT_NE(message("06 n 01 cup 0 000").find("no pointer count"), std::string::npos);
  EXPECT_NE(message("06 n 01 cup 0 000 | caf\xc3\xa9").find("byte 0xc3 at column 33; WordNet is printable ASCII"),
            std::string::npos);
  EXPECT_NE(message("29 v 01 run 0 000 01 - 02 00 | go", 'v').find("a verb frame does not start with '+'"),
            std::string::npos);
}

TEST(WordnetData, MissingFilesNameThePackage) {
  EXPECT_SAYS(read_wordnet("/nowhere"),
              "/nowhere/data.noun: No such file or directory; install Debian's package wordnet-base");
}

// Whatever the bytes, there are either synsets or a message with a line.
TEST(WordnetData, Fuzz) {
  const std::string sound = data_file({cup, "05 n 01 cat 0 002 @ 00000001 n 0000 ~ 00000002 n 0102 | a feline"});
  int refused = 0;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const std::string bytes = testing::mutated(sound, i);
    const std::string said = testing::message_of([&] {
      for (const Synset& synset : parse_wordnet(bytes, "data.noun", 'n')) {
        EXPECT_GE(synset.text.size(), 4u);
        EXPECT_LT(synset.field, lexicographer_files);
      }
    });
    refused += said != "no error";
    EXPECT_TRUE(said == "no error" || said.find("data.noun:") == 0) << said;
  }
  EXPECT_GT(refused, 2500);
}

Synset synset(std::uint8_t field, const std::string& text) {
  Synset s;
  s.field = field;
  s.text = text;
  return s;
}

std::string sample_text(const TextSamples& samples, std::size_t i) {
  return {samples.sample(i).begin(), samples.sample(i).end()};
}

// 20 synsets of field 3, "a" to "t", each a letter and a line end, and one of field 5 of 70 letters. The 20th of field
// 3, "t", is held out. Sample "b": b c ... s, then a b ... again, to 65 bytes: 32 lines of two and one letter more.
// From b over the 19 trained ones: line 32 is letter (1 + 32) mod 19 = 14, 'o'.
TEST(WordnetData, SamplesStayInTheirFieldAndSide) {
  std::vector<Synset> synsets;
  for (char letter = 'a'; letter <= 't'; ++letter) synsets.push_back(synset(3, std::string{letter, '\n'}));
  synsets.insert(synsets.begin() + 7, synset(5, std::string(70, 'z')));
  const WordnetData data = sample_synsets(synsets);
  ASSERT_EQ(data.training.size(), 20u);
  ASSERT_EQ(data.held_out.size(), 1u);
  const std::string b = sample_text(data.training, 1);
  EXPECT_EQ(b.substr(0, 6), "b\nc\nd\n");
  EXPECT_EQ(b.substr(34, 6), "s\na\nb\n");
  EXPECT_EQ(b.back(), 'o');
  EXPECT_EQ(b.find_first_of("tz"), std::string::npos);
  EXPECT_EQ(sample_text(data.training, 7), std::string(65, 'z'));
  EXPECT_EQ(data.training.fields[7], 5);
  EXPECT_EQ(sample_text(data.held_out, 0).substr(0, 6), "t\nt\nt\n");
  EXPECT_EQ(data.held_out.fields[0], 3);
}

// WordNet 3.0 has 82,115 noun, 13,767 verb, 18,156 adjective and 3,621 adverb synsets (wnstats(7WN)): 117,659. Held
// out: the sum over fields of a twentieth, rounded down, so at most 44 fewer than 117,659 / 20 = 5882.95.
TEST(WordnetData, ThePackage) {
  TOPOSIM_NEED_DATA();
  const WordnetData data = read_wordnet(DataPaths().wordnet);
  EXPECT_EQ(data.training.size() + data.held_out.size(), 117'659u);
  EXPECT_LE(data.held_out.size(), 5882u);
  EXPECT_GE(data.held_out.size(), 5882u - 44u);
  EXPECT_EQ(sample_text(data.training, 0).substr(0, 18), "entity: that which");
  std::vector<std::size_t> of_field(lexicographer_files);
  for (const std::uint8_t field : data.training.fields) ++of_field[field];
  for (std::size_t f = 0; f < lexicographer_files; ++f) EXPECT_GT(of_field[f], 0u) << wordnet_field_names()[f];
  EXPECT_EQ(wordnet_field_names().size(), lexicographer_files);
  for (const std::uint8_t byte : data.training.bytes) ASSERT_TRUE(byte == '\n' || (byte >= ' ' && byte <= '~'));
}

}  // namespace
}  // namespace toposim::workloads
