// A lifecycle's timeline as absences of virtual workers.
#include "sim/accuracy/timeline_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "sim/accuracy/study_hooks.hpp"

namespace toposim::accuracy {
namespace {

constexpr const char* header = "scheme,time_s,event,cause,node,replica,step,replicas_active,spares_free\n";

class TimelineFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  Timeline read(const std::string& text, const std::string& scheme = "") {
    std::filesystem::remove(path_);
    std::ofstream(path_, std::ios::binary) << text;
    return read_timeline(path_, scheme);
  }
  std::string refusal(const std::string& text, const std::string& scheme = "") {
    try {
      read(text, scheme);
    } catch (const AccuracyError& error) {
      const std::string what = error.what();
      return what.starts_with(path_) ? what.substr(path_.size()) : what;
    }
    return "read";
  }
  std::string path_ =
      (std::filesystem::temp_directory_path() /
       ("timeline_" + std::to_string(::getpid()) + testing::UnitTest::GetInstance()->current_test_info()->name()))
          .string();
};

/// Eight replicas: 2 lost in step 10, 5 in step 12, one back by step 20 (2, lost first), the other by step 30; 100
/// steps.
const std::string two_losses = std::string(header) +
                               "drop,0.0,start,,,,0,8,1\n"
                               "drop,1.0,fault,node,2,2,10,7,1\n"
                               "drop,1.5,detect,,,,10,7,1\n"
                               "drop,2.0,fault,node,5,5,12,6,1\n"
                               "drop,3.0,rejoin,,,,20,7,0\n"
                               "drop,4.0,rejoin,,,,30,8,0\n"
                               "drop,9.0,end,,,,100,8,0\n";

TEST_F(TimelineFile, WhoIsLostFirstIsBackFirst) {
  const Timeline timeline = read(two_losses);
  EXPECT_EQ(timeline.replicas, 8U);
  EXPECT_EQ(timeline.steps, 100);
  ASSERT_EQ(timeline.absences.size(), 2U);
  EXPECT_EQ(timeline.absences[0].replica, 2U);
  EXPECT_EQ(timeline.absences[0].from_step, 10);
  EXPECT_EQ(timeline.absences[0].to_step, 20);
  EXPECT_EQ(timeline.absences[1].replica, 5U);
  EXPECT_EQ(timeline.absences[1].from_step, 12);
  EXPECT_EQ(timeline.absences[1].to_step, 30);
}

TEST_F(TimelineFile, NeighboursStayNeighbours) {
  // 16 workers over 8 replicas: replica 2 is workers 4 and 5, replica 5 is 10 and 11. Of 100 steps.
  const auto absences = worker_absences(read(two_losses), 16);
  ASSERT_EQ(absences.size(), 4U);
  EXPECT_EQ(absences[0].worker, 4U);
  EXPECT_EQ(absences[1].worker, 5U);
  EXPECT_DOUBLE_EQ(absences[0].from, 0.10);
  EXPECT_DOUBLE_EQ(absences[0].to, 0.20);
  EXPECT_EQ(absences[2].worker, 10U);
  EXPECT_DOUBLE_EQ(absences[3].to, 0.30);
}

TEST_F(TimelineFile, AReplicaLostAtTheEndStaysLost) {
  const Timeline timeline = read(std::string(header) +
                                 "drop,0.0,start,,,,0,4,1\n"
                                 "drop,1.0,fault,node,3,3,50,3,0\n"
                                 "drop,9.0,end,,,,80,3,0\n");
  ASSERT_EQ(timeline.absences.size(), 1U);
  EXPECT_EQ(timeline.absences[0].to_step, 80);
}

/// "replica from-to" of each absence.
std::string words_of(const Timeline& timeline) {
  std::string text;
  for (const Timeline::Absence& absence : timeline.absences)
    text += (text.empty() ? "" : ", ") + std::to_string(absence.replica) + " " + std::to_string(absence.from_step) +
            "-" + std::to_string(absence.to_step);
  return text;
}

TEST_F(TimelineFile, StepsThatAreDoneAgainCountAsTheyWentTheLastTime) {
  const std::string start = std::string(header) + "s,0.0,start,,,,0,4,0\ns,1.0,fault,,3,1,20,3,0\n";
  // Back to step 25: replica 3, lost at 30, is missing from there on, 1 since 20 as before.
  EXPECT_EQ(words_of(read(start + "s,2.0,fault,,5,3,30,2,0\ns,3.0,rollback,,,,25,2,0\ns,9.0,end,,,,100,2,0\n")),
            "1 20-100, 3 25-100");
  // It was back at 40, and the steps from 30 on are done again with it; then those from 10 on, before it was ever lost.
  EXPECT_EQ(words_of(read(start + "s,2.0,rejoin,,,,40,4,0\ns,3.0,rollback,,,,30,4,0\ns,9.0,end,,,,100,4,0\n")),
            "1 20-30");
  EXPECT_EQ(words_of(read(start + "s,2.0,rejoin,,,,40,4,0\ns,3.0,rollback,,,,10,4,0\ns,9.0,end,,,,100,4,0\n", "s")),
            "");
}

TEST_F(TimelineFile, SchemesAreToldApart) {
  const std::string text = two_losses +
                           "restart,0.0,start,,,,0,8,1\n"
                           "restart,9.0,end,,,,90,8,1\n";
  EXPECT_EQ(read(text).absences.size(), 2U) << "one scheme alone loses replicas";
  EXPECT_EQ(read(text, "restart").absences.size(), 0U);
  const std::string both = text +
                           "compensate,0.0,start,,,,0,8,1\n"
                           "compensate,1.0,fault,node,2,2,10,7,1\n"
                           "compensate,9.0,end,,,,99,7,1\n";
  EXPECT_EQ(refusal(both),
            ": 2 of its schemes (compensate, drop, restart) train on with replicas missing; say which with scheme");
  EXPECT_EQ(refusal(both, "shrink"), ": has no scheme 'shrink'; it has compensate, drop, restart");
}

TEST_F(TimelineFile, WhatIsNoTimelineIsRefused) {
  EXPECT_EQ(refusal(""), ":1: is no timeline.csv of a lifecycle study: its first line has to be " +
                             std::string(header).substr(0, std::string(header).size() - 1));
  EXPECT_EQ(refusal(std::string(header)),
            ": 0 of its schemes () train on with replicas missing; say which with scheme");
  EXPECT_EQ(refusal(std::string(header) + "a,b\n"), ":2: has not the 9 fields of a timeline");
  EXPECT_EQ(refusal(std::string(header) + "a,0,start,,,,x,8,1\n"),
            ":2: its step has to be a whole number from 0 to 2^40");
  EXPECT_EQ(refusal(std::string(header) + "a,0,start,,,,1,8,1\na,0,fault,,,9,1,7,1\n"),
            ":3: the job has no such replica");
  EXPECT_EQ(refusal(std::string(header) + "a,0,start,,,,1,8,1\na,0,x,,,,1,9,1\n"),
            ":3: more replicas are active than the job began with");
  EXPECT_EQ(refusal(std::string(header) + std::string(5000, 'a')), ":2: is longer than 4096 bytes");
  EXPECT_THROW(read_timeline("/nonexistent/timeline.csv", ""), AccuracyError);
  EXPECT_THROW(read_timeline(std::filesystem::temp_directory_path().string(), ""), AccuracyError);
}

TEST_F(TimelineFile, NumbersAreWholeAndNothingElse) {
  for (const std::string& wrong :
       {std::string(), std::string("-1"), std::string("2.5"), std::string(" 2"), std::string("1e3"),
        std::string("1099511627777"), std::string("99999999999999999999"), std::string("2\0", 2)})
    EXPECT_EQ(refusal(std::string(header) + "a,0,start,,,," + wrong + ",8,1\n"),
              ":2: its step has to be a whole number from 0 to 2^40")
        << wrong;
}

TEST_F(TimelineFile, OneThatIsTooLargeIsRefusedUnread) {
  EXPECT_EQ(refusal(two_losses, "drop"), "read");
  std::filesystem::resize_file(path_, timeline_bytes_max + 1);  // zeros that take no room
  try {
    read_timeline(path_, "drop");
    ADD_FAILURE() << "1 GiB and a byte";
  } catch (const AccuracyError& error) {
    EXPECT_EQ(std::string(error.what()),
              path_ + ": 1073741825 bytes, more than the 1073741824 that a timeline may have");
  }
}

TEST_F(TimelineFile, AnyBytesAreReadOrRefused) {
  std::mt19937 words(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text = two_losses;
    for (unsigned edits = 1 + words() % 4; edits > 0; --edits) {
      const std::size_t at = words() % text.size();
      switch (words() % 3) {
        case 0:
          text[at] = static_cast<char>(words());
          break;
        case 1:
          text.erase(at, words() % 20);
          break;
        default:
          text.insert(at, text.substr(words() % text.size(), words() % 30));
      }
      if (text.empty()) text = "x";
    }
    try {
      const Timeline timeline = read(text, i % 2 == 0 ? "drop" : "");
      for (const Timeline::Absence& absence : timeline.absences) {
        EXPECT_LT(absence.replica, timeline.replicas);
        EXPECT_GE(absence.from_step, 0);
        EXPECT_LE(absence.from_step, absence.to_step);
        EXPECT_LE(absence.to_step, timeline.steps);
      }
    } catch (const AccuracyError&) {
    }
  }
}

}  // namespace
}  // namespace toposim::accuracy
