// What each format says, on rows made by hand.
#include <zlib.h>

#include "trace_file.hpp"

namespace toposim::faults {
namespace {

// Planned work is left out by default, so two of three rows are faults.
TEST(TraceFormats, Csv) {
  const Trace trace = trace_of(samples::csv);
  EXPECT_EQ(trace.format, TraceFormat::csv);
  EXPECT_FALSE(trace.calendar);
  EXPECT_EQ(trace.rows, 3U);
  ASSERT_EQ(trace.records.size(), 2U);
  EXPECT_EQ(record_text(trace, 0), "n1 gpu hardware fell off, the bus 10..20 2");
  EXPECT_EQ(trace.records[0].end_ns, 20'500'000'000);
  EXPECT_EQ(record_text(trace, 1), "n2 nic network link 15..open 3");
  ASSERT_EQ(trace.left_out.size(), 1U);
  EXPECT_EQ(trace.left_out[0].rows, 1U);
  EXPECT_EQ(trace.left_out[0].first_line, 4U);
  EXPECT_EQ(trace.last_ns, 40'000'000'000);  // the drill was seen
}

// 2026-01-02T03:04:05 UTC: 20,455 days of 86,400 s since 1970 (56 years of 365, 14 leap days, one day of January) and
// 11,045 s.
TEST(TraceFormats, CsvWithDates) {
  const Trace trace = trace_of("node,start\nn1,2026-01-02T03:04:05Z\nn2,2026-01-02 04:04:06+01:00\n");
  EXPECT_TRUE(trace.calendar);
  EXPECT_EQ(record_text(trace, 0), "n1 node unknown not said 1767323045 2");
  EXPECT_EQ(record_text(trace, 1), "n2 node unknown not said 1767323046 3");
}

// Days: 1.5 is 129,600 s, 1.75 151,200, 2 172,800, 3 259,200, 2.0001 172,808.64. The first start of a pair of the same
// node and type ends first: at day 3, although the other end is written behind it.
TEST(TraceFormats, InfiniteHbdPairsStartsAndEndsFirstInFirstOut) {
  const Trace trace = trace_of(samples::infinitehbd);
  EXPECT_EQ(trace.format, TraceFormat::infinitehbd);
  EXPECT_EQ(trace.rows, 5U);
  ASSERT_EQ(trace.records.size(), 3U);
  EXPECT_EQ(record_text(trace, 0), "a GPU hardware Xid 129600..259200 2");
  EXPECT_EQ(trace.records[1].end_ns, 172'808'640'000'000);
  EXPECT_EQ(record_text(trace, 1), "a GPU hardware Xid 151200..172808 4");
  EXPECT_EQ(record_text(trace, 2), "b Change other not said 172800..open 6");
  EXPECT_EQ(trace.first_ns, 0);
}

// 2005-06-21 10:54: 12,955 days and 39,240 s; 2004-01-02 3:04: 12,419 days and 11,040 s. 49 and 512 nodes.
TEST(TraceFormats, LanlIsSortedAndTellsTheNodes) {
  const Trace trace = trace_of(samples::lanl);
  EXPECT_EQ(trace.format, TraceFormat::lanl);
  EXPECT_EQ(trace.node_count_stated, 561U);
  ASSERT_EQ(trace.records.size(), 2U);
  EXPECT_EQ(record_text(trace, 0), "20/0 node unknown not said 1073012640..1073012640 3");
  EXPECT_EQ(record_text(trace, 1), "2/3 node hardware Graphics Accel Hdwr 1119351240..1119351600 2");
}

// The first fault follows no interval of being up, so nothing tells its cause; the second follows the one that ends at
// its start; the third starts a second after the end of one.
TEST(TraceFormats, FtaTakesTheCauseFromTheUpRowBefore) {
  const Trace trace = trace_of(samples::fta);
  EXPECT_EQ(trace.format, TraceFormat::fta);
  ASSERT_EQ(trace.records.size(), 3U);
  EXPECT_EQ(record_text(trace, 0), "3/655 component 0 unknown not said 1099755300..1099906200 2");
  EXPECT_EQ(record_text(trace, 1), "3/655 component 0 unknown reason 4022 1112096400..1112096400 4");
  EXPECT_EQ(record_text(trace, 2), "3/656 component 0 unknown not said 1112096401..1112096461 6");
  EXPECT_EQ(trace.nodes.size(), 2U);
}

// 2026-01-02T09:10:11 is 1,767,323,045 + 6 h 6 min 6 s = 21,966 s later. The job of four nodes does not say which.
TEST(TraceFormats, SlurmTellsTheMomentOfNodeFailures) {
  const Trace trace = trace_of(samples::slurm);
  EXPECT_EQ(trace.format, TraceFormat::slurm);
  ASSERT_EQ(trace.records.size(), 2U);
  EXPECT_EQ(record_text(trace, 0), "? node hardware NODE_FAIL 1767345011 2");
  EXPECT_EQ(record_text(trace, 1), "n004 node hardware NODE_FAIL 1767345013 4");
  EXPECT_EQ(trace.nodes.size(), 6U);  // n001, n002, n003, n007, '?', n004
  ASSERT_EQ(trace.left_out.size(), 2U);
  EXPECT_EQ(trace.left_out[0].why, "jobs that ended as 'CANCELLED'");
}

TEST(TraceFormats, SlurmWithoutAHeading) {
  const std::string text = samples::slurm;
  const Trace trace = trace_of(text.substr(text.find('\n') + 1));
  EXPECT_EQ(trace.records.size(), 2U);
}

// 1970-12-31T23:59:58 is 364 days and 86,398 s: 31,535,998. The second line is 3 s later, in the next year, the fourth
// 6 s after that: a fault of its own. 43 needs no action, 999 is not in the table.
TEST(TraceFormats, JournalCoalescesAndKnowsActions) {
  const Trace trace = trace_of(samples::journal);
  EXPECT_EQ(trace.format, TraceFormat::kernel_log);
  ASSERT_EQ(trace.records.size(), 4U);
  EXPECT_EQ(record_text(trace, 0), "n001 GPU hardware XID 79 GPU fell off the bus 31535998 1");
  EXPECT_EQ(record_text(trace, 1), "n001 GPU hardware XID 79 GPU fell off the bus 31536007 4");
  EXPECT_EQ(record_text(trace, 2), "n002 GPU software XID 31 GPU memory page fault 31536009 6");
  EXPECT_EQ(record_text(trace, 3), "n002 GPU unknown XID 999 31536009 7");
  ASSERT_EQ(trace.left_out.size(), 3U);
  EXPECT_EQ(trace.left_out[0].why, "the same GPU and XID within 5 s of the one before (--coalesce)");
  EXPECT_EQ(trace.left_out[1].why, "lines without an XID");
  EXPECT_EQ(trace.left_out[2].why, "XID 43 needs no action (a process stopped)");
}

TEST(TraceFormats, JournalWithIsoTimes) {
  const Trace trace = trace_of("2026-01-02T03:04:05+0000 n001 kernel: NVRM: Xid (PCI:0000:3b:00): 48, pid=1, DBE\n");
  EXPECT_EQ(record_text(trace, 0), "n001 GPU hardware XID 48 double-bit memory error 1767323045 1");
}

TEST(TraceFormats, DmesgIsOfTheHostThatTheFileIsCalled) {
  const Trace since_boot = trace_of(samples::dmesg);
  EXPECT_FALSE(since_boot.calendar);
  EXPECT_EQ(record_text(since_boot, 0), "host7 GPU hardware XID 119 system processor timed out 12345 2");
  const Trace dated = trace_of("[Fri Jan  2 03:04:05 2026] NVRM: Xid (PCI:0000:3b:00): 119, pid=7\n");
  EXPECT_EQ(record_text(dated, 0), "host7 GPU hardware XID 119 system processor timed out 1767323045 1");
}

TEST(TraceFormats, SimgridProfile) {
  const Trace trace = trace_of(samples::simgrid);
  EXPECT_EQ(trace.format, TraceFormat::simgrid);
  ASSERT_EQ(trace.records.size(), 2U);
  EXPECT_EQ(record_text(trace, 0), "host7 node unknown not said 10..11 2");
  EXPECT_EQ(record_text(trace, 1), "host7 node unknown not said 30..open 5");
}

TEST(TraceFormats, GzipIsReadAsTheTextInIt) {
  const TraceFile file("");
  // Two members, as `cat a.gz b.gz` leaves them.
  const std::string text = samples::csv;
  for (const std::string& part : {text.substr(0, 50), text.substr(50)}) {
    const gzFile out = gzopen(file.path().c_str(), "ab");
    gzwrite(out, part.data(), static_cast<unsigned>(part.size()));
    gzclose(out);
  }
  const Trace trace = read_trace(file.path());
  ASSERT_EQ(trace.records.size(), 2U);
  EXPECT_EQ(record_text(trace, 1), "n2 nic network link 15..open 3");
  std::ifstream in(file.path(), std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(refusal_of(packed.substr(0, packed.size() - 10)),
            "FILE: the gzip stream is cut short; copy the file again");
}

TEST(TraceFormats, BlocksEndAnywhere) {
  std::string text = "start,end,node\n";
  for (int i = 0; i < 40'000; ++i)
    text += std::to_string(i) + "," + std::to_string(i + 1) + ",node" + std::to_string(i % 7) + "\r\n";
  const Trace trace = trace_of(text);  // 700 kB: three blocks
  ASSERT_EQ(trace.records.size(), 40'000U);
  EXPECT_EQ(record_text(trace, 39'999), "node1 node unknown not said 39999..40000 40001");  // 39,999 = 7 x 5,714 + 1
}

// The published counts: 1,168 events, 584 intervals, 231 nodes; hardware 298, software 24, other 262.
TEST(TraceFormats, InfiniteHbdTraceHasItsPublishedCounts) {
  const std::string path = TOPOSIM_SHARED_DATA "/failures/infinitehbd_fault_trace.json";
  if (!std::ifstream(path)) GTEST_SKIP() << path << " is not there";
  const Trace trace = read_trace(path);
  EXPECT_EQ(trace.rows, 1168U);
  EXPECT_EQ(trace.records.size(), 584U);
  EXPECT_EQ(trace.nodes.size(), 231U);
  std::size_t hardware = 0, software = 0, other = 0;
  for (const TraceRecord& r : trace.records) {
    hardware += r.fault_class == TraceClass::hardware;
    software += r.fault_class == TraceClass::software;
    other += r.fault_class == TraceClass::other;
  }
  EXPECT_EQ(hardware, 298U);
  EXPECT_EQ(software, 24U);
  EXPECT_EQ(other, 262U);
  EXPECT_EQ(trace.records.front().start_ns, 336'571'200'000'000);  // day 3.8955
  EXPECT_EQ(trace.last_ns, 30'151'854'720'000'000);                // day 348.9798
}

}  // namespace
}  // namespace toposim::faults
