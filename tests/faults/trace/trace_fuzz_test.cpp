// Whatever the bytes: a trace or a TraceError, in bounded time. Mutations of good files, from a fixed seed.
#include <iterator>

#include "trace_file.hpp"

namespace toposim::faults {
namespace {

class TracePicker {
 public:
  std::size_t operator()(std::size_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % below;
  }

 private:
  std::uint64_t state_ = 1;
};

constexpr std::string_view trace_tokens[] = {"\n",  ",",    "|",  "\"",    "[",      "]",      "{",
                                             "}",   "-",    "0",  "1e999", "\xff",   "[1-9]",  "9999999999999999999",
                                             "Xid", "NULL", "\t", "#",     "Dec 31", "Unknown"};

std::string trace_mutation(std::string bytes, TracePicker& pick) {
  for (std::size_t changes = 1 + pick(4); changes > 0; --changes) {
    const std::size_t at = pick(bytes.size() + 1);
    switch (pick(5)) {
      case 0:
        if (pick(4) == 0) bytes.resize(at);
        break;
      case 1:
        bytes.insert(at, trace_tokens[pick(std::size(trace_tokens))]);
        break;
      case 2:
        bytes.erase(at, pick(12));
        break;
      case 3:
        bytes.insert(at, bytes.substr(pick(bytes.size() + 1), pick(40)));
        break;
      default:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(8)));
    }
  }
  return bytes;
}

TEST(TraceFuzz, AnyBytesGiveATraceOrAnError) {
  TracePicker pick;
  std::size_t read = 0, refused = 0;
  const TraceFile file("");
  for (int round = 0; round < 50; ++round)
    for (const char* sample : samples::all) {
      std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << trace_mutation(sample, pick);
      for (const bool lenient : {false, true}) {
        ReadPolicies policies;
        policies.lenient = lenient;
        try {
          const Trace trace = read_trace(file.path(), policies);
          ++read;
          for (const TraceRecord& r : trace.records) {
            ASSERT_GE(r.end_ns, r.start_ns);
            ASSERT_LT(r.node, trace.nodes.size());
          }
        } catch (const TraceError& error) {
          ++refused;
          ASSERT_NE(std::string(error.what()).find(file.path()), std::string::npos) << error.what();
        }
      }
    }
  EXPECT_GT(read, 100U);
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace toposim::faults
