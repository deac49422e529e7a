#include <gtest/gtest.h>
#include <sys/stat.h>

#include "recordings.hpp"

namespace toposim::recorded {
namespace {

using Row = std::vector<float>;

std::string index_of(int workers, const std::string& steps) {
  return R"({"schema_version": 1, "workers": )" + std::to_string(workers) + R"(, "steps": [)" + steps + "]}";
}

/// What is said of two workers' file s.npy.
std::string of_npy(const std::string& bytes) {
  const TemporaryFolder folder;
  folder.write("index.json", index_of(2, R"({"step": 1, "file": "s.npy"})"));
  folder.write("s.npy", bytes);
  return refusal(folder);
}

TEST(RecordedFiles, NpyThatDoNotFit) {
  const std::string six = bytes_of(Row{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(of_npy(npy("<f4", "2, 3", six)), "sound");
  const auto type = [](const std::string& descr, const std::string& advice) {
    return "s.npy: byte 10: numbers of type '" + descr + "'; '<f4', '<f2' and '<V2' (bf16) are read; " + advice;
  };
  EXPECT_EQ(of_npy(npy("<f8", "2, 3", six + six)), type("<f8", "convert with array.astype('<f4')"));
  EXPECT_EQ(of_npy(npy(">f4", "2, 3", six)), type(">f4", "convert with array.astype('<f4')"));
  EXPECT_EQ(of_npy(npy("<u2", "2, 3", six)), type("<u2", "bf16 as 16-bit integers: save array.view('V2')"));
  EXPECT_EQ(of_npy(npy("<f4", "6,", six)),
            "s.npy: byte 10: an array of 1 dimensions; workers x numbers (2) are read from a \"file\"; save "
            "array.reshape(workers, -1)");
  EXPECT_EQ(of_npy(npy("<f4", "3, 2", six)),
            "s.npy: byte 10: 3 rows for 2 workers; save a row for each, or correct workers");
  EXPECT_EQ(of_npy(npy("<f4", "2, 0", "")), "s.npy: rows without numbers; record some");
  // A header of 128 bytes, 20 of 24 bytes of numbers.
  EXPECT_EQ(of_npy(npy("<f4", "2, 3", six.substr(4))),
            "s.npy: byte 148: 20 bytes of numbers where its shape asks for 24; it was cut off: write it again");
  EXPECT_EQ(of_npy(npy("<f4", "2, 3", six + "!")),
            "s.npy: byte 152: 25 bytes of numbers where its shape asks for 24; it was appended to: write it again");
  EXPECT_EQ(of_npy(npy("<f4", "4294967296, 4294967296", six)),
            "s.npy: byte 10: its shape asks for more than 2^63 bytes; write it again");
  EXPECT_EQ(
      of_npy(topology::npy_front(1, topology::npy_dictionary("<f4", 2, 3, true)) + six),
      "s.npy: byte 10: Fortran order: a worker's numbers are not side by side; save numpy.ascontiguousarray(array)");
  EXPECT_EQ(
      of_npy("x"),
      "s.npy: byte 0: not a .npy file: it does not start with \\x93NUMPY; write it with numpy.save of a float32 or "
      "float16 array in C order");
}

TEST(RecordedFiles, WorkersOfOneFile) {
  const TemporaryFolder folder;
  folder.write("index.json", index_of(2, R"({"step": 1, "file": "s.safetensors"})"));
  const auto say = [&](const std::vector<std::string>& names) {
    std::string header = "{";
    for (std::size_t i = 0; i < names.size(); ++i) {
      header += (i == 0 ? "\"" : ",\"") + names[i] + R"(":{"dtype":"F32","shape":[1],"data_offsets":[)" +
                std::to_string(4 * i) + "," + std::to_string(4 * i + 4) + "]}";
    }
    folder.write("s.safetensors", safetensors(header + "}", std::string(4 * names.size(), '\0')));
    return refusal(folder);
  };
  EXPECT_EQ(say({"worker.1", "worker.0"}), "sound");
  EXPECT_EQ(say({"worker.1/a", "worker.0/a"}), "sound");
  for (const char* name : {"a", "worker.", "worker.x", "worker.01", "worker.0/", "worker.0a", "worker.-1", "Worker.0",
                           "worker.99999999999999999999"}) {
    EXPECT_EQ(say({name}), std::string("s.safetensors: tensor '") + name +
                               "': neither worker.<i> nor worker.<i>/<tensor>, with <i> from 0 without leading zeros; "
                               "rename it, or name a file for each worker as \"files\"");
  }
  EXPECT_EQ(say({"worker.0", "worker.2"}),
            "s.safetensors: tensor 'worker.2': the index has 2 workers, from 0; correct workers or the name");
  EXPECT_EQ(say({"worker.1"}),
            "s.safetensors: worker 0 of 2 is missing; record all, or leave this step out of the index");
  EXPECT_EQ(say({"worker.0/a", "worker.0/b"}),
            "s.safetensors: worker 1 of 2 is missing; record all, or leave this step out of the index");
  EXPECT_EQ(say({"worker.0", "worker.0/a", "worker.1"}),
            "s.safetensors: worker 0 is there twice: as worker.0 and with named tensors; remove one");
  const std::string end = "; all workers and steps need the same tensors: record them again, or leave them out";
  EXPECT_EQ(say({"worker.0/a", "worker.1"}),
            "s.safetensors: worker 1: flat rows without names of tensors, unlike s.safetensors" + end);
  EXPECT_EQ(say({"worker.0/a", "worker.1/b"}), "s.safetensors: worker 1: tensor 'b' is not in s.safetensors" + end);
  EXPECT_EQ(say({"worker.0/a", "worker.0/b", "worker.1/b"}),
            "s.safetensors: worker 1: tensor 'a' of s.safetensors is missing" + end);
}

// Step 1 is what the others are compared with; all that differ are told.
TEST(RecordedFiles, StepsThatDiffer) {
  const TemporaryFolder folder;
  folder.write("index.json", index_of(1, R"({"step": 1, "files": ["a.safetensors"]}, {"step": 2, "file": "b.npy"},
    {"step": 3, "files": ["c.safetensors"]}, {"step": 4, "files": ["d.npy"]}, {"step": 5, "files": ["e.txt"]})"));
  const std::string data(16, '\0');
  folder.write("a.safetensors", safetensors(R"({"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})", data));
  folder.write("b.npy", npy("<f4", "1, 4", data));
  folder.write("c.safetensors", safetensors(R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", data));
  const std::string end = "; all workers and steps need the same tensors: record them again, or leave them out";
  EXPECT_EQ(refusal(folder), "b.npy: flat rows without names of tensors, unlike a.safetensors" + end +
                                 "\nc.safetensors: tensor 'w' has shape [4], in a.safetensors [2, 2]" + end +
                                 "\nd.npy: cannot be opened: No such file or directory; check path and permissions"
                                 "\ne.txt: cannot be opened: No such file or directory; check path and permissions");
  folder.write("e.txt", "");
  EXPECT_TRUE(refusal(folder).ends_with(
      "\ne.txt: neither .npy nor .safetensors by its name; write one of these, and name it in the index"));
  folder.write("index.json", index_of(1, R"({"step": 1, "files": ["d.npy"]}, {"step": 2, "file": "b.npy"})"));
  folder.write("d.npy", npy("<f4", "3,", data.substr(4)));
  EXPECT_EQ(refusal(folder), "b.npy: 4 numbers, where d.npy has 3" + end);
}

TEST(RecordedFiles, Paths) {
  const TemporaryFolder folder, elsewhere;
  elsewhere.write("far.npy", npy("<f4", "1, 1", bytes_of(Row{5})));
  folder.write("index.json", index_of(1, R"({"step": 1, "file": "s.npy"})"));
  std::filesystem::create_symlink(elsewhere.path("far.npy"), folder.path("s.npy"));
  EXPECT_EQ(refusal(folder), "sound");
  std::filesystem::remove(folder.path("s.npy"));
  ASSERT_EQ(::mkfifo(folder.path("s.npy").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder), "s.npy: not a regular file; recorded gradients are read from files on a disk");
  std::filesystem::remove(folder.path("index.json"));
  EXPECT_EQ(refusal(folder), "index.json: cannot be opened: No such file or directory; check path and permissions");
}

TEST(RecordedFiles, ChangedWhileOpen) {
  const TemporaryFolder folder;
  folder.write("index.json", index_of(2, R"({"step": 1, "file": "s.npy"}, {"step": 2, "file": "t.npy"})"));
  const std::string bytes = npy("<f4", "2, 3", bytes_of(Row{1, 2, 3, 4, 5, 6}));
  folder.write("s.npy", bytes);
  folder.write("t.npy", bytes);
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  EXPECT_EQ(row(gradients, 0, 1), (Row{4, 5, 6}));
  std::filesystem::resize_file(folder.path("s.npy"), 144);  // 128 of header, four numbers
  std::filesystem::resize_file(folder.path("t.npy"), 144);
  EXPECT_EQ(row(gradients, 0, 0), (Row{1, 2, 3}));
  const auto said = [&](std::size_t step) {
    try {
      row(gradients, step, 1);
    } catch (const RecordedError& error) {
      return std::string(error.what()).substr(folder.path().size() + 1);
    }
    return std::string("sound");
  };
  EXPECT_EQ(said(0), "s.npy: byte 144: the file became shorter while it was read; leave it alone meanwhile");
  EXPECT_EQ(said(1), "t.npy: 144 bytes, and 152 when the recording was opened; leave it alone meanwhile");
}

}  // namespace
}  // namespace toposim::recorded
