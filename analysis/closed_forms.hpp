#pragma once
// What theory says of checkpoint/restart with exponential failures, to print beside the simulation. ETTR here is
// productive time over wall time with unlimited spares. All arguments in seconds (any one unit would do).
//
//   M  mean time between interruptions of the job      R  restart: from the failure until work goes on
//   d  the job stands still to write a checkpoint      t  productive time between checkpoints
namespace toposim::analysis {

struct CheckpointTimes {
  double mtbf_s = 0;     ///< M > 0
  double restart_s = 0;  ///< R >= 0
  double write_s = 0;    ///< d >= 0
};

/// Expected wall time of `productive_s` of work: M e^(R/M) (e^((t + d) / M) - 1) T / t. Daly 2006, eq. 20 (failures
/// during restart and during writing count); exact for exponential gaps when T is many t. Infinite where it overflows.
double daly_wall_s(double productive_s, double interval_s, const CheckpointTimes& times);

/// productive_s / daly_wall_s, in (0, 1].
double daly_ettr(double interval_s, const CheckpointTimes& times);

/// 1 - d/t - (R + t/2) / M: losses added up. Below zero far outside its range (t, R, d << M).
double first_order_ettr(double interval_s, const CheckpointTimes& times);

/// (1 - (R + t/2) / M) / (1 + d/t): Meta, arXiv 2410.21680, with 1/M = nodes x rate. First order as well.
double meta_ettr(double interval_s, const CheckpointTimes& times);

}  // namespace toposim::analysis
