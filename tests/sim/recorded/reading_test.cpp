#include <gtest/gtest.h>

#include "recordings.hpp"

namespace toposim::recorded {
namespace {

using Row = std::vector<float>;

// Two workers of three numbers in each of the four forms; 1.5 is 0x3e00 in fp16 and 0x3fc0 in bf16, -2 is 0xc000 in
// both, 0.25 is 0x3400 and 0x3e80, 4 is 0x4400 and 0x4080, -0.5 is 0xb800 and 0xbf00, 8 is 0x4800 and 0x4100.
const Row first{1.5f, -2, 0.25f}, second{4, -0.5f, 8};
const std::vector<std::uint16_t> first_fp16{0x3e00, 0xc000, 0x3400}, second_fp16{0x4400, 0xb800, 0x4800};
const std::vector<std::uint16_t> first_bf16{0x3fc0, 0xc000, 0x3e80}, second_bf16{0x4080, 0xbf00, 0x4100};

TEST(RecordedGradients, FlatRowsInEachForm) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 2, "steps": [
    {"step": 40, "file": "s40.safetensors"},
    {"step": 0, "file": "s0.npy"},
    {"step": 10, "files": ["deep/s10_w0.npy", "./deep//s10_w1.npy"]},
    {"step": 20, "file": "s20.npy"},
    {"step": 30, "file": "s30.safetensors"}]})");
  folder.write("s0.npy", npy("<f4", "2, 3", bytes_of(first) + bytes_of(second)));
  folder.write("deep/s10_w0.npy", npy("<f2", "3,", bytes_of(first_fp16)));
  folder.write("deep/s10_w1.npy", npy("|V2", "3,", bytes_of(second_bf16)));
  folder.write("s20.npy", npy("<V2", "2, 3", bytes_of(first_bf16) + bytes_of(second_bf16)));
  // Worker 1 first; a flat row has any shape; types differ from tensor to tensor.
  folder.write(
      "s30.safetensors",
      safetensors(R"({"worker.1":{"dtype":"F16","shape":[3],"data_offsets":[0,6]},)"
                  R"("worker.0":{"dtype":"F32","shape":[1,3],"data_offsets":[6,18]},"__metadata__":{"a":"b"}}  )",
                  bytes_of(second_fp16) + bytes_of(first)));
  folder.write("s40.safetensors", safetensors(R"({"worker.0":{"dtype":"BF16","shape":[3],"data_offsets":[0,6]},)"
                                              R"("worker.1":{"dtype":"BF16","shape":[3],"data_offsets":[6,12]}})",
                                              bytes_of(first_bf16) + bytes_of(second_bf16)));
  for (const std::string& path : {folder.path(), folder.path("index.json")}) {
    const RecordedGradients gradients = RecordedGradients::open(path);
    EXPECT_EQ(gradients.workers(), 2u);
    EXPECT_EQ(gradients.parameters(), 3u);
    EXPECT_EQ(gradients.steps(), (std::vector<std::uint64_t>{0, 10, 20, 30, 40}));
    EXPECT_TRUE(gradients.domains().empty());
    EXPECT_FALSE(gradients.batch());
    EXPECT_EQ(gradients.embeddings(), nullptr);
    ASSERT_EQ(gradients.groups().size(), 1u);
    EXPECT_EQ(gradients.groups()[0].name, "all");
    EXPECT_EQ(gradients.groups()[0].end, 3u);
    for (std::size_t step = 0; step < 5; ++step) {
      EXPECT_EQ(row(gradients, step, 0), first) << step;
      EXPECT_EQ(row(gradients, step, 1), second) << step;
    }
  }
}

// fc.bias before fc.weight by name, layer 2 before 10. In worker 0's file the order is another one.
//   fc.bias 0, fc.weight 1-4, layers.2.w 5, layers.10.w 6-7
TEST(RecordedGradients, NamedTensors) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 2, "batch": 32, "domain_size": 2, "steps": [
    {"step": 1, "files": ["w0.safetensors", "w1.safetensors"]}, {"step": 2, "file": "both.safetensors"}]})");
  folder.write("w0.safetensors", safetensors(R"({"layers.10.w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                             R"("fc.bias":{"dtype":"F32","shape":[],"data_offsets":[8,12]},)"
                                             R"("layers.2.w":{"dtype":"F16","shape":[1,1],"data_offsets":[12,14]},)"
                                             R"("fc.weight":{"dtype":"BF16","shape":[2,2],"data_offsets":[14,22]}})",
                                             bytes_of(Row{60, 70}) + bytes_of(Row{1}) +
                                                 bytes_of(std::vector<std::uint16_t>{0x4500}) +  // 5
                                                 bytes_of(std::vector<std::uint16_t>{0x4110, 0x4120, 0x4130, 0x4140})));
  folder.write("w1.safetensors", safetensors(R"({"fc.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[4,20]},)"
                                             R"("fc.bias":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
                                             R"("layers.10.w":{"dtype":"F32","shape":[2],"data_offsets":[24,32]},)"
                                             R"("layers.2.w":{"dtype":"F32","shape":[1,1],"data_offsets":[20,24]}})",
                                             bytes_of(Row{0, 1, 2, 3, 4, 5, 6, 7})));
  std::string header = "{";
  for (int worker : {1, 0}) {  // in each: bias, weight, 2, 10, 32 bytes
    const std::string name = "\"worker." + std::to_string(worker) + "/";
    const auto add = [&](const std::string& tensor, const std::string& shape, int begin, int end) {
      const int base = worker * 32;
      header += (header.size() > 1 ? "," : "") + name + tensor + R"(":{"dtype":"F32","shape":[)" + shape +
                R"(],"data_offsets":[)" + std::to_string(base + begin) + "," + std::to_string(base + end) + "]}";
    };
    add("layers.10.w", "2", 24, 32);
    add("layers.2.w", "1,1", 20, 24);
    add("fc.weight", "2,2", 4, 20);
    add("fc.bias", "", 0, 4);
  }
  folder.write("both.safetensors", safetensors(header + "}", bytes_of(Row{0, 1, 2, 3, 4, 5, 6, 7}) +
                                                                 bytes_of(Row{8, 9, 10, 11, 12, 13, 14, 15})));
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  EXPECT_EQ(gradients.parameters(), 8u);
  EXPECT_EQ(gradients.batch(), 32u);
  EXPECT_EQ(gradients.domains(), (std::vector<std::uint32_t>{0, 0}));
  // bf16 0x4110 = 9, 0x4120 = 10, 0x4130 = 11, 0x4140 = 12
  EXPECT_EQ(row(gradients, 0, 0), (Row{1, 9, 10, 11, 12, 5, 60, 70}));
  EXPECT_EQ(row(gradients, 0, 1), (Row{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(row(gradients, 1, 0), (Row{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(row(gradients, 1, 1), (Row{8, 9, 10, 11, 12, 13, 14, 15}));
  // Every part of a row, across tensors of several types.
  const Row whole = row(gradients, 0, 0);
  for (std::size_t begin = 0; begin <= 8; ++begin) {
    for (std::size_t end = begin; end <= 8; ++end) {
      Row part(end - begin);
      gradients.read(0, 0, begin, part);
      EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(begin)));
    }
  }
  // The deepest names have three parts, so that groups are what is before nothing: four tensors, four groups.
  ASSERT_EQ(gradients.groups().size(), 4u);
  EXPECT_EQ(gradients.groups()[2].name, "layers.2");
  EXPECT_EQ(gradients.groups()[2].begin, 5u);
  EXPECT_EQ(gradients.groups()[3].end, 8u);
}

TEST(RecordedGradients, GroupsOfTheIndex) {
  const TemporaryFolder folder;
  const std::string start =
      R"({"schema_version": 1, "workers": 1, "steps": [{"step": 1, "files": ["w0.safetensors"]}], )";
  folder.write("w0.safetensors", safetensors(R"({"a.w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                             R"("a.b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]},)"
                                             R"("c":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})",
                                             bytes_of(Row{1, 2, 3, 4})));
  folder.write("index.json", start + R"("groups": [{"name": "weights", "tensors": ["c", "*.w"]},
                                                   {"name": "rest", "tensors": ["*"]}]})");
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  ASSERT_EQ(gradients.groups().size(), 2u);
  EXPECT_EQ(gradients.groups()[0].name, "weights");
  EXPECT_EQ(gradients.groups()[0].end, 2u);
  EXPECT_EQ(gradients.groups()[1].begin, 2u);
  EXPECT_EQ(gradients.groups()[1].end, 4u);
  EXPECT_EQ(row(gradients, 0, 0), (Row{1, 4, 2, 3}));  // a.w, c; a.b

  folder.write("index.json", start + R"("groups": [{"name": "weights", "tensors": ["c", "x.*"]}]})");
  EXPECT_EQ(refusal(folder),
            "index.json: groups: tensor 'a.b' is in none; name it, or add a last group with \"*\"\n"
            "index.json: groups: tensor 'a.w' is in none; name it, or add a last group with \"*\"\n"
            "index.json: groups[0].tensors[1]: no tensor is left for 'x.*'; correct or remove it");
  folder.write("index.json", start + R"("groups": [{"name": "weights", "parameters": 4}]})");
  EXPECT_EQ(
      refusal(folder),
      "index.json: groups: the files hold named tensors; give each group's tensors (names) instead of parameters");
}

TEST(RecordedGradients, GroupsOfFlatRows) {
  const TemporaryFolder folder;
  const std::string start =
      R"({"schema_version": 1, "workers": 1, "steps": [{"step": 1, "file": "s.npy"}], "groups": )";
  folder.write("s.npy", npy("<f4", "1, 4", bytes_of(Row{1, 2, 3, 4})));
  folder.write("index.json", start + R"([{"name": "a", "parameters": 3}, {"name": "b", "parameters": 1}]})");
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  ASSERT_EQ(gradients.groups().size(), 2u);
  EXPECT_EQ(gradients.groups()[1].begin, 3u);
  EXPECT_EQ(gradients.groups()[1].end, 4u);
  for (const char* sizes : {R"([{"name": "a", "parameters": 3}]})",
                            R"([{"name": "a", "parameters": 3}, {"name": "b", "parameters": 2}]})"}) {
    folder.write("index.json", start + sizes);
    EXPECT_EQ(refusal(folder), "index.json: groups: their parameters do not add up to the 4 of each row");
  }
  folder.write("index.json", start + R"([{"name": "a", "tensors": ["*"]}]})");
  EXPECT_EQ(refusal(folder),
            "index.json: groups: the files hold flat rows without names of tensors; give each group's parameters (how "
            "many) instead");
}

TEST(RecordedGradients, Embeddings) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 2, "steps": [{"step": 1, "file": "s.npy"}],
                                 "domains": [1, 0], "embeddings": "centroids.npy"})");
  folder.write("s.npy", npy("<f4", "2, 1", bytes_of(Row{1, 2})));
  folder.write("centroids.npy", npy("<f4", "2, 3", bytes_of(Row{1, 2, 3, 4, 5, 6})));
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  ASSERT_NE(gradients.embeddings(), nullptr);
  Row centroid(3);
  gradients.embeddings()->read(1, 1, centroid.data());
  EXPECT_EQ(centroid, (Row{4, 5, 6}));
  EXPECT_EQ(gradients.domains(), (std::vector<std::uint32_t>{1, 0}));

  folder.write("centroids.npy", npy("<f4", "3, 2", bytes_of(Row{1, 2, 3, 4, 5, 6})));
  EXPECT_EQ(refusal(folder), "centroids.npy: 3 rows for 2 workers; save the mean embedding of each worker's data");
  folder.write("centroids.npy", "no array");
  EXPECT_TRUE(refusal(folder).starts_with("centroids.npy: byte 0: not a .npy file")) << refusal(folder);
}

TEST(RecordedGradients, RefusesWhatIsNotThere) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 2, "steps": [{"step": 7, "file": "s.npy"}]})");
  folder.write("s.npy", npy("<f4", "2, 3", bytes_of(first) + bytes_of(second)));
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  Row out(3), two(2);
  EXPECT_THROW(gradients.read(1, 0, out), RecordedError);
  EXPECT_THROW(gradients.read(0, 2, out), RecordedError);
  EXPECT_THROW(gradients.read(0, 0, two), RecordedError);
  EXPECT_THROW(gradients.read(0, 0, 2, two), RecordedError);
  EXPECT_THROW(gradients.read(0, 0, ~std::uint64_t{0}, two), RecordedError);
  gradients.read(0, 1, 1, two);
  EXPECT_EQ(two, (Row{-0.5f, 8}));
}

}  // namespace
}  // namespace toposim::recorded
