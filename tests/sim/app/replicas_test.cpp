#include "sim/app/replicas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace toposim::sim {
namespace {

/// How often each replica was run.
class Tally {
 public:
  explicit Tally(std::int64_t replicas) : runs_(static_cast<std::size_t>(replicas)) {}
  void add(std::int64_t replica) { ++runs_.at(static_cast<std::size_t>(replica)); }
  std::vector<int> runs() const { return {runs_.begin(), runs_.end()}; }
  int sum() const {
    int sum = 0;
    for (const int n : runs()) sum += n;
    return sum;
  }

 private:
  std::vector<std::atomic<int>> runs_;
};

/// The first `ran` of `all` once, the others never.
std::vector<int> once(std::int64_t ran, std::int64_t all) {
  std::vector<int> runs(static_cast<std::size_t>(all), 0);
  std::fill_n(runs.begin(), ran, 1);
  return runs;
}

ReplicaLoop loop_of(std::int64_t replicas, int threads, std::function<void(std::int64_t)> run) {
  ReplicaLoop loop;
  loop.replicas = replicas;
  loop.threads = threads;
  loop.run = std::move(run);
  return loop;
}

// With a stopping rule that never holds the batches are 32, 32, ..., and the last is what is left: 100 = 3 x 32 + 4.
TEST(Replicas, EachRunsOnce) {
  for (const int threads : {1, 2, 5, 64}) {
    for (const std::int64_t replicas : {1, 3, 32, 100}) {
      for (const bool rule : {false, true}) {
        Tally tally(replicas);
        ReplicaLoop loop = loop_of(replicas, threads, [&](std::int64_t replica) { tally.add(replica); });
        if (rule) loop.stop = [](std::int64_t) { return false; };
        EXPECT_EQ(run_replicas(loop), replicas);
        EXPECT_EQ(tally.runs(), once(replicas, replicas)) << threads << " threads, " << replicas << " replicas";
      }
    }
  }
}

// Asked at 32, 64, 96: stops at the first that is 70 or more, 96, whatever the threads; all of those are complete when
// it asks, and none after them has begun.
TEST(Replicas, StopsAtTheSameCountForAnyThreads) {
  for (const int threads : {1, 2, 5}) {
    Tally tally(1000);
    std::vector<std::int64_t> asked;
    ReplicaLoop loop = loop_of(1000, threads, [&](std::int64_t replica) { tally.add(replica); });
    loop.stop = [&](std::int64_t done) {
      asked.push_back(done);
      EXPECT_EQ(tally.runs(), once(done, 1000));
      return done >= 70;
    };
    EXPECT_EQ(run_replicas(loop), 96) << threads << " threads";
    EXPECT_EQ(asked, (std::vector<std::int64_t>{32, 64, 96}));
    EXPECT_EQ(tally.runs(), once(96, 1000));
  }
}

// The rule is asked once more after the last batch, and has nothing left to stop: 40 = 32 + 8.
TEST(Replicas, TheLastBatchIsWhatIsLeft) {
  std::vector<std::int64_t> asked;
  ReplicaLoop loop = loop_of(40, 2, [](std::int64_t) {});
  loop.stop = [&](std::int64_t done) {
    asked.push_back(done);
    return false;
  };
  EXPECT_EQ(run_replicas(loop), 40);
  EXPECT_EQ(asked, (std::vector<std::int64_t>{32, 40}));
}

// Replicas 40, 41 and 50 of 1000 fail: the one rethrown is 40's for any number of threads. It is in the second batch of
// 32, so the third is not begun: no more than 64 have run, and the rule was asked after the first only.
TEST(Replicas, TheFirstExceptionIsRethrownAndNoBatchFollows) {
  for (const int threads : {1, 2, 5}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      Tally tally(1000);
      std::vector<std::int64_t> asked;
      ReplicaLoop loop = loop_of(1000, threads, [&](std::int64_t replica) {
        tally.add(replica);
        if (replica == 40 || replica == 41 || replica == 50) throw std::runtime_error(std::to_string(replica));
      });
      loop.stop = [&](std::int64_t done) {
        asked.push_back(done);
        return false;
      };
      try {
        run_replicas(loop);
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "40") << threads << " threads";
      }
      EXPECT_LE(tally.sum(), 64);
      EXPECT_EQ(asked, (std::vector<std::int64_t>{32}));
    }
  }
}

// Told from the calling thread, never more than there are and never fewer than before. By one thread after every
// replica: 1, 2, ..., 7.
TEST(Replicas, ProgressOnlyGrows) {
  std::vector<std::int64_t> seen;
  ReplicaLoop loop = loop_of(7, 1, [](std::int64_t) {});
  loop.progress = [&](std::int64_t done) { seen.push_back(done); };
  EXPECT_EQ(run_replicas(loop), 7);
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7}));

  seen.clear();
  const auto caller = std::this_thread::get_id();
  ReplicaLoop threaded = loop_of(1000, 3, [](std::int64_t) {});
  threaded.progress = [&](std::int64_t done) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    seen.push_back(done);
  };
  EXPECT_EQ(run_replicas(threaded), 1000);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  for (const std::int64_t done : seen) EXPECT_LE(done, 1000);
}

}  // namespace
}  // namespace toposim::sim
