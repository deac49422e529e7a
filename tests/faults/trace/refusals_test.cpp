// Policies, and rows that are wrong: where, what, what to do.
#include "faults/trace/clock_text.hpp"
#include "faults/trace/fields.hpp"
#include "faults/trace/host_list.hpp"
#include "faults/trace/xid_actions.hpp"
#include "trace_file.hpp"

namespace toposim::faults {
namespace {

TEST(TracePolicies, EachHasAnOtherWay) {
  ReadPolicies policies;
  policies.keep_planned = true;
  EXPECT_EQ(trace_of(samples::csv, policies).records.size(), 3U);
  policies.keep_open = false;
  const Trace closed = trace_of(samples::csv, policies);
  EXPECT_EQ(closed.records.size(), 2U);
  EXPECT_EQ(closed.left_out.at(0).why, "not ended (kept with --open keep)");

  ReadPolicies named;
  named.keep_unknown_nodes = false;
  EXPECT_EQ(trace_of(samples::slurm, named).records.size(), 1U);

  ReadPolicies together;
  together.coalesce_ns = 6'000'000'000;  // 6 s: all three of XID 79 are one
  EXPECT_EQ(trace_of(samples::journal, together).records.size(), 3U);

  ReadPolicies west;
  west.utc_offset_s = -7 * 3600;  // noon there is 19:00 UTC
  EXPECT_EQ(trace_of(samples::lanl, west).records[1].start_ns, (1119351240 + 7 * 3600) * second_ns);

  ReadPolicies later;
  later.year = 2025;  // 55 years of 365 days and 14 leap days since 1970, and as in 1970 364 days, 86,398 s
  EXPECT_EQ(trace_of(samples::journal, later).records[0].start_ns,
            ((55 * 365 + 14 + 364) * 86400LL + 86398) * second_ns);

  ReadPolicies host;
  host.node = "login";
  EXPECT_EQ(record_text(trace_of(samples::simgrid, host), 0), "login node unknown not said 10..11 2");
}

TEST(TracePolicies, LenientCountsAndLists) {
  const std::string text =
      "start,end,node,class\n10,20,n1,hardware\n20,oops,n1,hardware\n30,25,n1,hardware\n40,41,n1,hardwear\n50,51,n1\n";
  EXPECT_EQ(refusal_of(text),
            "FILE:3:4: expected a time, seconds or 2026-01-02T03:04:05, got 'oops'\n"
            "FILE:4: it ends before it starts; exchange the two, or correct the clock\n"
            "FILE:5:10: class 'hardwear' is none of hardware, software, network, environment, human, planned, other, "
            "unknown\n"
            "FILE:6: 3 fields, the first line names 4; quote what holds commas\n"
            "FILE: 4 malformed rows; correct them, or read on without them with --lenient");
  ReadPolicies lenient;
  lenient.lenient = true;
  const Trace trace = trace_of(text, lenient);
  EXPECT_EQ(trace.records.size(), 1U);
  EXPECT_EQ(trace.problem_count, 4U);
  EXPECT_EQ(trace.problems.size(), 4U);
  EXPECT_EQ(trace.problems[0].column, 4U);
}

TEST(TracePolicies, StrictStopsAfterTwentyRows) {
  std::string text = "start,node\n";
  for (int i = 0; i < 30; ++i) text += "x,n1\n";
  const std::string refusal = refusal_of(text);
  EXPECT_NE(refusal.find("FILE:21:1:"), std::string::npos);
  EXPECT_EQ(refusal.find("FILE:22:1:"), std::string::npos);
  EXPECT_NE(refusal.find("FILE: at least 20 malformed rows"), std::string::npos);
}

TEST(TraceRefusals, OfEveryFormat) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "FILE: the file is empty"},
      {"hello\n", "FILE: not the beginning of a trace; expected a CSV"},
      {"start,node,start\n1,a,2\n", "FILE:1:12: column 'start' is there twice"},
      {"start,node,end\n", "FILE: no fault in 0 rows of format csv; is it the right file?"},
      {"start,node\n1,\"a\n", "FILE:2: a quote that is not closed on its line"},
      {"start,node\n1,a\n2026-01-02,a\n", "FILE:3:1: a date, where rows above have numbers of seconds; use one"},
      {"[{\"node_id\": \"a\"", "FILE:1:17: no JSON from here on"},
      {"[{\"node_id\": [1]}]", "a list inside it"},
      {"[{\"a\": {\"b\": {\"c\": 1}}}]", "something nested deeper"},
      {"[{\"event_time\": \"x\"}]", "FILE:1: event_time is a number of days, got 'x'"},
      {"[{\"event_time\": 1, \"event_type\": \"end\"}]", "event_type is fault_start or fault_end, got 'end'"},
      {"[{\"node_id\": \"n\", \"event_time\": 1, \"event_type\": \"fault_end\"}]", "that has no fault_start"},
      {"prob started,system\n", "FILE:1: no column 'nodenum', 'prob fixed', 'facilities'"},
      {"1|NODE_FAIL|1|x|2026-01-02T03:04:05|0|n1\n", "FILE:1:15: expected a time as 2026-01-02T03:04:05 or Unknown"},
      {"1|NODE_FAIL|1|Unknown|Unknown|0|n1\n", "FILE:1:23: a failed job without a time of its end"},
      {"1|NODE_FAIL|1|Unknown|Unknown|0|n[1-\n", "FILE:1:33: a bracket that is not closed"},
      {"1|NODE_FAIL|1|Unknown\n", "FILE:1: 4 fields, expected 7"},
      {"yesterday n1 kernel: NVRM: Xid (PCI:0000:3b:00): 79, x\n", "FILE:1:1: no time in front"},
      {"[1.5] NVRM: Xid (PCI:0000:3b:00) 79\n", "FILE:1:13: expected 'Xid (PCI:0000:3b:00): 79, ...'"},
      {"10 0\n9 1\n", "FILE:2:1: expected a time in seconds, not before the one above"},
      {"10 0\n11 2\n", "FILE:2:4: a state is 0 (down) or 1 (up), got '2'"}};
  for (const auto& [text, expected] : cases)
    EXPECT_NE(refusal_of(text).find(expected), std::string::npos) << text << "\ngave " << refusal_of(text);
}

TEST(TraceRefusals, OfSizes) {
  EXPECT_NE(refusal_of("start,node\n1," + std::string(201, 'n') + "\n").find("FILE:2: a name of 201 bytes"),
            std::string::npos);
  EXPECT_NE(refusal_of("start,node\n1," + std::string(70'000, 'n')).find("a line of more than 65536 bytes"),
            std::string::npos);
  EXPECT_NE(refusal_of("[{\"node_id\": \"" + std::string(700'000, 'n')).find("without a value's end"),
            std::string::npos);
  ReadPolicies small;
  small.bytes_max = 20;
  EXPECT_NE(refusal_of(samples::csv, small).find("more than 20 bytes unpacked"), std::string::npos);
  ReadPolicies one;
  one.records_max = 1;
  EXPECT_NE(refusal_of(samples::csv, one).find("FILE:3: more than 1 faults"), std::string::npos);
  EXPECT_NE(refusal_of(samples::infinitehbd, one).find("FILE:4: more than 1 faults open at once"), std::string::npos);
  EXPECT_THROW(read_trace("/nonexistent/trace"), TraceError);
  EXPECT_THROW(read_trace("/tmp"), TraceError);
}

TEST(TraceFields, UnitsAreExact) {
  std::int64_t ns = 0;
  ASSERT_TRUE(parse_units("8.6112", day_ns, ns));
  EXPECT_EQ(ns, 744'007'680'000'000);  // 8.6112 x 86,400 s = 744,007.68 s
  ASSERT_TRUE(parse_units("-0.5", second_ns, ns));
  EXPECT_EQ(ns, -500'000'000);
  ASSERT_TRUE(parse_units("1e3", second_ns, ns));
  EXPECT_EQ(ns, 1000 * second_ns);
  for (const char* bad : {"", "x", "1x", "1.-5", "nan", "inf", "1e30", "9999999999999", "53241", "1.2.3"})
    EXPECT_FALSE(parse_units(bad, day_ns, ns)) << bad;
}

TEST(TraceFields, DatesThatDoNotExist) {
  std::int64_t ns = 0;
  for (const char* bad : {"2026-02-29T00:00:00", "2026-13-01", "2026-01-02T24:00:00", "2026-01-02T03:04:05+25:00",
                          "2026", "1829-12-31", "2111-01-01", "2026-01-02T03:04:05 ", "2026-01-02T3"})
    EXPECT_FALSE(parse_iso(bad, 0, ns)) << bad;
  EXPECT_FALSE(parse_us("21/6/2005 10:54", 0, ns));
  EXPECT_TRUE(parse_iso("2024-02-29", 0, ns));
}

TEST(TraceFields, HostLists) {
  std::vector<std::string> hosts;
  std::string why;
  ASSERT_TRUE(expand_host_list("n[001-003,007],gpu12,r[1-2]n[8-9]", hosts, why));
  EXPECT_EQ(hosts, (std::vector<std::string>{"n001", "n002", "n003", "n007", "gpu12", "r1n8", "r1n9", "r2n8", "r2n9"}));
  for (const char* bad : {"n[3-1]", "n[a]", "n[1-999999999]", "n[1"})
    EXPECT_FALSE(expand_host_list(bad, hosts, why)) << bad;
}

// NVIDIA's own: 94 restart the application; 46 and 119 reset; 79 the node; 48 and 74 follow their workflows; 63 ignore.
TEST(XidActions, TableSaysWhatTheCatalogueSays) {
  const auto& actions = xid_actions();
  EXPECT_EQ(actions.at(94).response, XidResponse::restart_application);
  for (const int code : {46, 62, 64, 95, 109, 110, 119, 120, 140, 143})
    EXPECT_EQ(actions.at(code).response, XidResponse::reset_gpu) << code;
  EXPECT_EQ(actions.at(79).response, XidResponse::restart_node);
  EXPECT_EQ(actions.at(48).response, XidResponse::follow_workflow);
  EXPECT_EQ(actions.at(74).response, XidResponse::follow_workflow);
  for (const int code : {43, 63, 92}) EXPECT_EQ(actions.at(code).response, XidResponse::ignore) << code;
  EXPECT_THROW(parse_xid_actions("79,restart,GPU\n"), TraceError);
  EXPECT_THROW(parse_xid_actions("79,ignore,a\n79,ignore,b\n"), TraceError);
}

// Where the catalogue is, code by code: its names of what the table calls an action.
TEST(XidActions, TableAgreesWithTheCatalogue) {
  std::ifstream file(TOPOSIM_SHARED_DATA "/failures/xid_catalog.csv");
  if (!file) GTEST_SKIP() << TOPOSIM_SHARED_DATA "/failures/xid_catalog.csv is not there";
  const std::map<std::string, XidResponse> words = {{"RESTART_APP", XidResponse::restart_application},
                                                    {"RESET_GPU", XidResponse::reset_gpu},
                                                    {"RESTART_BM", XidResponse::restart_node},
                                                    {"IGNORE", XidResponse::ignore},
                                                    {"CHECK_MECHANICALS", XidResponse::check_hardware}};
  std::string line, unquoted;
  std::vector<Field> fields;
  std::size_t compared = 0;
  while (std::getline(file, line)) {
    std::int64_t code = 0;
    if (!split_csv(line, fields, unquoted).empty() || fields.size() < 4 || !parse_whole(fields[0].text, code)) continue;
    const auto word = words.find(std::string(fields[3].text));
    const auto action = xid_actions().find(code);
    if (word == words.end() || action == xid_actions().end()) continue;
    EXPECT_EQ(action->second.response, word->second) << code;
    ++compared;
  }
  EXPECT_GT(compared, 40U);
}

}  // namespace
}  // namespace toposim::faults
