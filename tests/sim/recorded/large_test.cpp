#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "recordings.hpp"

namespace toposim::recorded {
namespace {

std::uint64_t resident_bytes() {
  std::uint64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// 40 GB that take no room on the disk: 1,000 workers of 10,000,000 numbers of fp32, all 0 but the last one of worker
// 999. One row is 40 MB; what is read stays out of memory but for the room given.
TEST(RecordedLarge, LargerThanMemory) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 1000, "steps": [{"step": 1, "file": "s.npy"}]})");
  folder.write("s.npy", npy("<f4", "1000, 10000000", ""));
  const std::uint64_t end = 128 + 40'000'000'000;
  std::error_code error;
  std::filesystem::resize_file(folder.path("s.npy"), end, error);
  if (error) GTEST_SKIP() << "the temporary folder takes no sparse file of 40 GB: " << error.message();
  {
    std::fstream file(folder.path("s.npy"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(end - 4));
    file.write(bytes_of(std::vector<float>{2.5f}).data(), 4);
  }
  const std::uint64_t before = resident_bytes();
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  EXPECT_EQ(gradients.parameters(), 10'000'000u);
  std::vector<float> out(1'000'000);
  for (const std::uint64_t worker : {0u, 500u, 999u}) {
    for (std::uint64_t begin = 0; begin < gradients.parameters(); begin += out.size()) {
      gradients.read(0, worker, begin, out);
      EXPECT_EQ(out.front(), 0);
    }
  }
  EXPECT_EQ(out.back(), 2.5f);
  EXPECT_LT(resident_bytes() - before, 16'000'000u);  // 4 MB of `out`, and what the allocator keeps
}

// 100 files, more than are kept open, read by 8 threads in different orders: number j of worker w is 16 w + j.
TEST(RecordedLarge, Threads) {
  const TemporaryFolder folder;
  std::string files;
  for (int w = 0; w < 100; ++w) {
    const std::string name = "w" + std::to_string(w) + ".npy";
    std::vector<float> numbers;
    for (int j = 0; j < 16; ++j) numbers.push_back(static_cast<float>(16 * w + j));
    folder.write(name, npy("<f4", "16,", bytes_of(numbers)));
    files += (w == 0 ? "\"" : ", \"") + name + "\"";
  }
  folder.write("index.json",
               R"({"schema_version": 1, "workers": 100, "steps": [{"step": 1, "files": [)" + files + "]}]}");
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 8; ++t) {
    threads.emplace_back([&gradients, &wrong, t] {
      std::vector<float> out(16);
      for (std::uint64_t i = 0; i < 2000; ++i) {
        const std::uint64_t worker = (i * (2 * t + 1) + t) % 100;
        gradients.read(0, worker, out);
        for (std::size_t j = 0; j < 16; ++j) wrong += out[j] != static_cast<float>(16 * worker + j);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  const auto open = std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  EXPECT_LT(open, 64 + 30);  // 64 are kept
}

}  // namespace
}  // namespace toposim::recorded
