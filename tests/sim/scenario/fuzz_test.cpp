// Whatever the bytes: an answer or problems, in bounded time. Mutations of good scenarios, from fixed seeds.
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "minimal_scenario.hpp"

namespace toposim::sim {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> texts{minimal_scenario};
  const std::filesystem::path root(TOPOSIM_SOURCE_DIR);
  std::vector<std::filesystem::path> files;
  for (const auto& directory : {root / "scenarios", root / "tests" / "errors"})
    for (const auto& entry : std::filesystem::directory_iterator(directory))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutate(std::string text, const std::string& other) {
    const std::size_t changes = 1 + pick(6);
    for (std::size_t i = 0; i < changes; ++i) {
      const std::size_t at = pick(text.size() + 1), length = std::min(pick(12), text.size() - at);
      switch (pick(8)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, 1, static_cast<char>(pick(256)));
          break;
        case 2:
          text.insert(at, pieces_[pick(std::size(pieces_))]);
          break;
        case 3:
          text.replace(at, length, pieces_[pick(std::size(pieces_))]);
          break;
        case 4:
          text.insert(at, text.substr(pick(text.size() + 1), pick(80)));
          break;
        case 5:
          text.insert(at, other.substr(pick(other.size() + 1), pick(200)));
          break;
        case 6:
          text.resize(at);
          break;
        default: {
          std::string many;
          const std::string piece = pieces_[pick(std::size(pieces_))];
          const std::size_t times = pick(400);
          for (std::size_t j = 0; j < times; ++j) many += piece;
          text.insert(at, many);
        }
      }
    }
    return text;
  }
  std::size_t pick(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

 private:
  static constexpr const char* pieces_[] = {"[",
                                            "]",
                                            "{",
                                            "}",
                                            ":",
                                            ": ",
                                            "- ",
                                            "? ",
                                            "|\n",
                                            ">-\n",
                                            "&a ",
                                            "*a",
                                            "<<: ",
                                            "!!x ",
                                            "\"",
                                            "'",
                                            "#",
                                            "\n",
                                            "\n  ",
                                            "\t",
                                            "\r",
                                            "---\n",
                                            "...\n",
                                            "%YAML 1.2\n",
                                            ",",
                                            "1e999",
                                            "-1",
                                            "0",
                                            "010",
                                            "0x1",
                                            ".nan",
                                            "99999999",
                                            "9e18",
                                            "30d",
                                            "400",
                                            "1e-320s",
                                            "~",
                                            "null",
                                            "true",
                                            "yes",
                                            "\xFF",
                                            "\xC3\xA9",
                                            "\\",
                                            "\\x",
                                            "@",
                                            "`",
                                            "\xE2\x80\xA8",
                                            "\xEF\xBB\xBF",
                                            "nodes: 9223372036854775807\n",
                                            "1000000",
                                            "gpus_per_node: 256\n",
                                            "- - - - ",
                                            "a:\n b:\n  c:\n",
                                            "{a: *a, b: &a "};
  std::mt19937_64 random_;
};

TEST(Fuzz, EveryTextHasAnAnswer) {
  const auto texts = seeds();
  Mutator mutator(20240601);
  const auto elapsed_s = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };  // CPU time, not wall time
  const double end_s = elapsed_s() + 4;
  int runs = 0, good = 0;
  // The same texts in the same order every time; a slow machine sees fewer of them.
  for (; runs < 20000 && elapsed_s() < end_s; ++runs) {
    const std::string text = mutator.mutate(texts[mutator.pick(texts.size())], texts[mutator.pick(texts.size())]);
    const double before_s = elapsed_s();
    const auto result = read_scenario_text(text, "fuzz.yaml", {}, 16e9);
    good += result.ok();
    for (const Problem& problem : result.problems) {
      ASSERT_FALSE(problem.message.empty());
      ASSERT_EQ(problem.text().find('\n'), std::string::npos) << problem.text();
      ASSERT_GE(problem.line, 0);
      ASSERT_LE(problem.excerpt().size(), 1000u);
    }
    ASSERT_LT(elapsed_s() - before_s, 3) << "slow on:\n" << text;
  }
  EXPECT_GT(runs, 100);
  EXPECT_LT(good, runs);
}

TEST(Fuzz, EveryOverrideHasAnAnswer) {
  Mutator mutator(7);
  const std::string paths =
      "run.seed schemes[0].checkpoint.interval cluster.fabric.type job.model.layers faults.classes[1].name";
  const std::string values = "3 [1, 2] {a: b} 30min &a *a \"x\" - ~ 1e999 [[[[ }";
  for (int i = 0; i < 5000; ++i) {
    const std::size_t from = mutator.pick(paths.size()), value = mutator.pick(values.size());
    const Override change{mutator.mutate(paths.substr(from, mutator.pick(40)), values),
                          mutator.mutate(values.substr(value, mutator.pick(12)), paths)};
    const auto result = read_scenario_text(minimal_scenario, "f", {change}, 16e9);
    for (const Problem& problem : result.problems) ASSERT_FALSE(problem.text().empty());
  }
}

}  // namespace
}  // namespace toposim::sim
