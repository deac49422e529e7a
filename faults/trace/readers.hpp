#pragma once
// One reader per format; read_trace.hpp picks it. Each takes the text from its first line and adds what it finds.
#include "faults/trace/text_source.hpp"
#include "faults/trace/trace_builder.hpp"

namespace toposim::faults {

/// Columns by name in the first line, in any order: start and node; end, component, cause, class where they are there.
/// Times: seconds, or 2026-01-02T03:04:05. An empty end: not ended; no column end: only the moment is known.
void read_csv_trace(TextSource& text, TraceBuilder& builder);

/// A list of {node_id, event_time (days), event_type, fault_type: {Level, Class, Desc}}. A start and an end belong
/// together by node and fault type, first in first out. Streamed: memory grows with the faults that are open at once.
void read_infinitehbd(TextSource& text, TraceBuilder& builder);

/// The failure data of Los Alamos (LANL): columns by name. Wall clock of the site, no zone.
void read_lanl(TextSource& text, TraceBuilder& builder);

/// event_trace.tab of the Failure Trace Archive: intervals of a node being up or down. The reason of an interval of
/// being up is the cause of the failure that ends it.
void read_fta(TextSource& text, TraceBuilder& builder);

/// sacct -X -a -P -o jobid,state,nnodes,start,end,exitcode,nodelist. A job that ended as NODE_FAIL or BOOT_FAIL tells
/// when a node failed; which one only where the job had one, and nothing of the repair.
void read_slurm(TextSource& text, TraceBuilder& builder);

/// XIDs of NVIDIA's driver in a kernel log: journalctl (short, short-iso) or dmesg (seconds since boot, or -T).
void read_kernel_log(TextSource& text, TraceBuilder& builder);

/// A state profile of SimGrid: "time state" with state 0 (down) or 1, of one host or link.
void read_simgrid_profile(TextSource& text, TraceBuilder& builder);

}  // namespace toposim::faults
