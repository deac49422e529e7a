#pragma once
// What two sections of a scenario say together: whether the job fits the cluster, and the cluster this machine.
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/section.hpp"

namespace toposim::sim {

/// The fabric can be built as asked, and in the memory there is. True if so.
bool check_cluster(const topology::ClusterSpec& cluster, Section& section, double available_bytes);

/// The job fills the cluster; fills in job.layout.data where the file did not give it. Needs a cluster and a job that
/// are right on their own.
void check_job(const topology::ClusterSpec& cluster, const GpuSpec& gpu, JobSpec& job, Section& section);

/// The faults of one history can be drawn in reasonable time. Needs a cluster, faults and a duration that are right.
void check_fault_count(const topology::ClusterSpec& cluster, const faults::FaultSpec& faults, double duration_s,
                       const Mark& at, Problems& problems);

/// The exact fidelity plays this: schemes that restart from a checkpoint, on few enough GPUs, spares included. (How
/// many steps there are is known when one is priced: sim/app/study.hpp.)
void check_exact(const topology::ClusterSpec& cluster, const std::vector<SchemeSpec>& schemes, const RunSpec& run,
                 Section& section);

/// Domains of the size asked exist; without a domains section the size is lowered to the job's.
void check_domains(const JobSpec& job, topology::DomainsSpec& domains, Section& section);

}  // namespace toposim::sim
