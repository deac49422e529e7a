#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>

#include "faults/trace/error.hpp"
#include "faults/trace/read_trace.hpp"

namespace toposim::faults {

/// A file with these bytes, gone at the end of the scope. Its name before the dot is "host7".
class TraceFile {
 public:
  explicit TraceFile(std::string_view bytes) {
    char folder[] = "/tmp/toposim-trace-XXXXXX";
    folder_ = ::mkdtemp(folder);
    path_ = folder_ + "/host7.trace";
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  ~TraceFile() {
    ::unlink(path_.c_str());
    ::rmdir(folder_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

inline Trace trace_of(std::string_view bytes, const ReadPolicies& policies = {}) {
  const TraceFile file(bytes);
  return read_trace(file.path(), policies);
}

/// The message of what cannot be read, the file as FILE; empty where it can.
inline std::string refusal_of(std::string_view bytes, const ReadPolicies& policies = {}) {
  const TraceFile file(bytes);
  try {
    read_trace(file.path(), policies);
  } catch (const TraceError& error) {
    std::string text = error.what();
    for (std::size_t at; (at = text.find(file.path())) != std::string::npos;)
      text.replace(at, file.path().size(), "FILE");
    return text;
  }
  return {};
}

/// "node component class cause start..end line", times in seconds; "..open" and "" for those without an end.
inline std::string record_text(const Trace& trace, std::size_t i) {
  const TraceRecord& r = trace.records.at(i);
  const auto seconds = [](std::int64_t ns) { return std::to_string(ns / 1'000'000'000); };
  return trace.nodes[r.node] + " " + trace.components[r.component] + " " + std::string(to_string(r.fault_class)) + " " +
         trace.causes[r.cause] + " " + seconds(r.start_ns) +
         (r.ending == Ending::closed ? ".." + seconds(r.end_ns)
          : r.ending == Ending::open ? "..open"
                                     : "") +
         " " + std::to_string(r.line);
}

namespace samples {

inline constexpr const char* csv =
    "start,end,node,component,cause,class\n"
    "10,20.5,n1,gpu,\"fell off, the bus\",hardware\n"
    "15,,n2,nic,link,network\n"
    "30,40,n1,node,drill,planned\n";

inline constexpr const char* infinitehbd = R"([
  {"node_id": "a", "event_time": 1.5, "event_type": "fault_start",
   "fault_type": {"Level": "Hardware Failure", "Class": "GPU", "Desc": "Xid"}},
  {"node_id": "a", "event_time": 1.75, "event_type": "fault_start",
   "fault_type": {"Level": "Hardware Failure", "Class": "GPU", "Desc": "Xid"}},
  {"node_id": "b", "event_time": 2, "event_type": "fault_start",
   "fault_type": {"Level": "Other Failure", "Class": "Change", "Desc": ""}},
  {"node_id": "a", "event_time": 3, "event_type": "fault_end",
   "fault_type": {"Level": "Hardware Failure", "Class": "GPU", "Desc": "Xid"}},
  {"node_id": "a", "event_time": 2.0001, "event_type": "fault_end",
   "fault_type": {"Level": "Hardware Failure", "Class": "GPU", "Desc": "Xid"}}
]
)";

inline constexpr const char* lanl =
    "System,machine type,nodes,procstot,procsinnode,nodenum,nodenumz,node install,node prod,node decom,fru "
    "type,mem,cputype,memtype,num intercon,purpose,Prob Started,Prob Fixed,Down Time,Facilities,Hardware,Human "
    "Error,Network,Undetermined,Software,Same Event\n"
    "2,cluster,49,6152,80,3,0,5-Apr,5-Jun,current,part,80,1,1,0,graphics.fe,6/21/2005 10:54,6/21/2005 11:00,6,,"
    "Graphics Accel Hdwr,,,,,No\n"
    "20,smp,512,2048,4,0,0,5-Apr,5-Jun,current,part,80,1,1,0,compute,1/2/2004 3:04,1/2/2004 3:04,0,,,,,,,No\n";

inline constexpr const char* fta =
    "event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time "
    "event_end_reason\n"
    "0\t0\t655\t3\t10.000\t0\t1099755300\t1099906200\t8000\n"
    "1\t0\t655\t3\t10.000\t1\t1099906200\t1112096400\t4022\n"
    "2\t0\t655\t3\t10.000\t0\t1112096400\t1112096400\t8000\n"
    "3\t0\t656\t3\t11.000\t1\t1099755300\t1112096400\t4022\n"
    "4\t0\t656\t3\t11.000\t0\t1112096401\t1112096461\t8000\n";

inline constexpr const char* slurm =
    "JobID|State|NNodes|Start|End|ExitCode|NodeList\n"
    "1001|NODE_FAIL|4|2026-01-02T03:04:05|2026-01-02T09:10:11|0:0|n[001-003,007]\n"
    "1002|CANCELLED by 1000|1|Unknown|2026-01-02T09:10:12|0:0|None assigned\n"
    "1003|NODE_FAIL|1|2026-01-02T03:04:05|2026-01-02T09:10:13|1:0|n004\n"
    "1004|COMPLETED|2|2026-01-02T03:04:05|2026-01-03T00:00:00|0:0|n[001-002]\n";

inline constexpr const char* journal =
    "Dec 31 23:59:58 n001 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off "
    "the bus.\n"
    "Jan 01 00:00:01 n001 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1, again\n"
    "Jan 01 00:00:03 n002 systemd[1]: started\n"
    "Jan 01 00:00:07 n001 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1, six seconds later\n"
    "Jan 01 00:00:08 n001 kernel: NVRM: Xid (PCI:0000:3b:00): 43, pid=1, stopped\n"
    "Jan 01 00:00:09 n002 kernel: NVRM: Xid (PCI:0000:af:00): 31, pid=1, page fault\n"
    "Jan 01 00:00:09 n002 kernel: NVRM: Xid (PCI:0000:af:00): 999, pid=1\n";

inline constexpr const char* dmesg =
    "[    0.000000] Linux version 6.1\n"
    "[12345.678901] NVRM: Xid (PCI:0000:3b:00): 119, pid=7, GSP\n";

inline constexpr const char* simgrid = "# up and down\n10 0\n11 1\n20 1\n30.5 0\n";

inline constexpr const char* all[] = {csv, infinitehbd, lanl, fta, slurm, journal, dmesg, simgrid};

}  // namespace samples
}  // namespace toposim::faults
