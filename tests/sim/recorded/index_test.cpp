#include <gtest/gtest.h>

#include "recordings.hpp"
#include "sim/recorded/index_file.hpp"
#include "sim/recorded/limits.hpp"

namespace toposim::recorded {
namespace {

std::string problems_of(const std::string& text) {
  try {
    parse_index(text, "i.json");
  } catch (const RecordedError& error) {
    return error.what();
  }
  return "sound";
}

/// A sound index of two workers with `more` between its braces.
std::string with(const std::string& more) {
  return R"({"schema_version": 1, "workers": 2, "steps": [{"step": 1, "file": "a.npy"}])" + more + "}";
}

std::string with_steps(const std::string& steps) {
  return R"({"schema_version": 1, "workers": 2, "steps": )" + steps + "}";
}

TEST(RecordedIndex, Sound) {
  EXPECT_EQ(problems_of(with("")), "sound");
  EXPECT_EQ(problems_of(with(R"(, "batch": 1, "domain_size": 1, "embeddings": "e.npy")")), "sound");
  const RecordedIndex index = parse_index(with(R"(, "domains": [0, 1])"), "/data/run/i.json");
  EXPECT_EQ(index.folder, "/data/run");
  EXPECT_EQ(index.steps[0].files, (std::vector<std::string>{"a.npy"}));
}

TEST(RecordedIndex, NotJson) {
  EXPECT_EQ(problems_of(""), "i.json:1:1: byte 0: not JSON from here on; write it with a JSON library");
  EXPECT_EQ(problems_of("{\n  'workers': 2}"),
            "i.json:2:3: byte 4: not JSON from here on; write it with a JSON library");
  EXPECT_EQ(problems_of("[1]"), "i.json: index: not an object {...}");
  EXPECT_EQ(problems_of(with(R"(, "batch": 1, "batch": 2)")),
            "i.json: an object has the key 'batch' twice; remove one");
  EXPECT_EQ(problems_of(with(R"(, "batch": 1e999)")), "i.json: a number beyond all bounds; write it again");
  EXPECT_EQ(problems_of(std::string(1000, '[')),
            "i.json: nested deeper than an index is; see the format's description");
}

TEST(RecordedIndex, TopLevel) {
  EXPECT_EQ(problems_of("{}"),
            "i.json: schema_version: not 1, the one that this version reads\n"
            "i.json: index: no 'workers'; give a whole number\n"
            "i.json: index: no 'steps'; add the array");
  EXPECT_EQ(problems_of(R"({"schema_version": 2, "workers": 0, "steps": []})"),
            "i.json: schema_version: not 1, the one that this version reads\n"
            "i.json: index.workers: not a whole number from 1 to 1000000\n"
            "i.json: index.steps: not an array [...] with at least one entry");
  EXPECT_EQ(problems_of(R"({"schema_version": "1", "workers": 1000001, "steps": {}})"),
            "i.json: schema_version: not 1, the one that this version reads\n"
            "i.json: index.workers: not a whole number from 1 to 1000000\n"
            "i.json: index.steps: not an array [...] with at least one entry");
  EXPECT_EQ(problems_of(with(R"(, "batches": 4, "batch": 2.5)")),
            "i.json: index: unknown key 'batches'; there are schema_version, workers, batch, domain_size, domains, "
            "steps, embeddings, groups\n"
            "i.json: index.batch: not a whole number from 1 to 4294967295");
  EXPECT_EQ(problems_of(with(R"(, "batch": -1)")), "i.json: index.batch: not a whole number from 1 to 4294967295");
}

TEST(RecordedIndex, Domains) {
  EXPECT_EQ(problems_of(with(R"(, "domain_size": 1, "domains": [0, 0])")),
            "i.json: domains: given beside domain_size; leave one of them out");
  EXPECT_EQ(
      problems_of(with(R"(, "domain_size": 3)")),
      "i.json: domain_size: 2 workers are no multiple of 3; for domains of several sizes give domains: [domain of "
      "worker 0, ...]");
  EXPECT_EQ(problems_of(with(R"(, "domains": [0])")), "i.json: domains: 1 entries for 2 workers; give one for each");
  EXPECT_EQ(problems_of(with(R"(, "domains": [0, 2])")), "i.json: domains[1]: not a whole number from 0 to 1");
  EXPECT_EQ(problems_of(with(R"(, "domains": [0, "x"])")), "i.json: domains[1]: not a whole number from 0 to 1");
  EXPECT_EQ(problems_of(with(R"(, "domains": [1, 1])")), "i.json: domains: domain 0 has no worker; number them from 0");
}

TEST(RecordedIndex, Steps) {
  EXPECT_EQ(problems_of(with_steps("[3]")), "i.json: steps[0]: not an object {...}");
  EXPECT_EQ(problems_of(with_steps(R"([{"file": "a.npy"}])")), "i.json: steps[0].step: not a whole number from 0");
  EXPECT_EQ(problems_of(with_steps(R"([{"step": 1}, {"step": 2, "file": "a.npy", "files": ["a.npy"]}])")),
            "i.json: steps[0]: give either file (one for all workers) or files (one for each)\n"
            "i.json: steps[1]: give either file (one for all workers) or files (one for each)");
  EXPECT_EQ(problems_of(with_steps(R"([{"step": 1, "files": ["a.npy"]}])")),
            "i.json: steps[0].files: 1 files for 2 workers; give one for each, or leave step 1 out");
  EXPECT_EQ(problems_of(with_steps(R"([{"step": 1, "file": 3}, {"step": 2, "files": ["a.npy", ""]}])")),
            "i.json: steps[0].file: not a text of at least one character and no control characters\n"
            "i.json: steps[1].files[1]: not a text of at least one character and no control characters");
  EXPECT_EQ(problems_of(with_steps(R"([{"step": 5, "file": "a.npy"}, {"step": 5, "file": "b.npy"}])")),
            "i.json: steps: step 5 appears twice; remove one");
  // One worker's file for two of them, and again in another step, under another spelling.
  EXPECT_EQ(problems_of(with_steps(
                R"([{"step": 5, "files": ["a.npy", "a.npy"]}, {"step": 6, "files": ["b.npy", "./a.npy"]}])")),
            "i.json: steps: the file 'a.npy' is named for step 5 and again for step 5; each worker's gradient of each "
            "step is "
            "recorded on its own\n"
            "i.json: steps: the file 'a.npy' is named for step 5 and again for step 6; each worker's gradient of each "
            "step is "
            "recorded on its own");
}

TEST(RecordedIndex, PathsStayInTheFolder) {
  for (const char* path : {"/etc/passwd", "../a.npy", "a/../../b.npy", "a/.."}) {
    const std::string said = problems_of(with_steps(std::string(R"([{"step": 1, "file": ")") + path + "\"}]"));
    EXPECT_EQ(said, std::string("i.json: steps[0].file: '") + path +
                        "' leads out of the folder of the index, which is refused so that a recording is one folder; "
                        "give a path below it (a link there may lead elsewhere)");
  }
  EXPECT_TRUE(problems_of(with_steps(R"([{"step": 1, "file": "a\u0000.npy"}])")).ends_with("no control characters"));
  EXPECT_TRUE(
      problems_of(with(R"(, "embeddings": "../e.npy")")).starts_with("i.json: embeddings: '../e.npy' leads out"));
}

TEST(RecordedIndex, Groups) {
  EXPECT_EQ(problems_of(with(R"(, "groups": [])")), "i.json: index.groups: not an array [...] with at least one entry");
  EXPECT_EQ(problems_of(with(R"(, "groups": [1, {"tensors": []}, {"name": "a"}, {"name": "b", "parameters": 0}])")),
            "i.json: groups[0]: not an object {...}\n"
            "i.json: groups[1].name: not a text of at least one character and no control characters\n"
            "i.json: groups[1].tensors: not an array [...] with at least one entry\n"
            "i.json: groups[2]: give either tensors (names) or parameters (how many, of flat rows)\n"
            "i.json: groups[3].parameters: not a whole number from 1 to 1099511627776");
  EXPECT_EQ(problems_of(with(R"(, "groups": [{"name": "a", "tensors": ["x"]}, {"name": "b", "parameters": 1}])")),
            "i.json: groups[1]: some groups have tensors and some parameters; give the same in all");
  EXPECT_EQ(problems_of(with(R"(, "groups": [{"name": "a", "tensors": [1]}, {"name": "a", "tensors": ["x"]}])")),
            "i.json: groups[0].tensors[0]: not a text of at least one character and no control characters\n"
            "i.json: groups: two groups are named 'a'; rename one");
}

// 25 bad steps: 20 are told.
TEST(RecordedIndex, NoMoreThanTwentyProblems) {
  std::string steps = "[";
  for (int i = 0; i < 25; ++i) steps += (i == 0 ? "" : ",") + std::string("{\"step\":") + std::to_string(i) + "}";
  const std::string said = problems_of(with_steps(steps + "]"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 20);
  EXPECT_TRUE(said.ends_with("\nno more than 20 problems are told; there may be others")) << said;
}

TEST(RecordedIndex, TooLarge) {
  const TemporaryFolder folder;
  folder.write("index.json", "{}");
  std::filesystem::resize_file(folder.path("index.json"), index_bytes_max + 1);
  EXPECT_EQ(
      refusal(folder),
      "index.json: 16777217 bytes; an index of at most 16777216 is read: name one file for all workers of a step, "
      "or record fewer steps");
}

}  // namespace
}  // namespace toposim::recorded
