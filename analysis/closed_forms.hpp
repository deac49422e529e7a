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

/// sqrt(2 d M), Young, CACM 17(9), 1974: first order.
double young_interval_s(const CheckpointTimes& times);

/// sqrt(2 d M) (1 + sqrt(d / 2M) / 3 + (d / 2M) / 9) - d for d < 2M, else M. Daly, FGCS 22, 2006, eq. 37.
double daly_interval_s(const CheckpointTimes& times);

/// Expected wall time of `productive_s` of work: M e^(R/M) (e^((t + d) / M) - 1) T / t. Daly 2006, eq. 20 (failures
/// during restart and during writing count); exact for exponential gaps when T is many t. Infinite where it overflows.
double daly_wall_s(double productive_s, double interval_s, const CheckpointTimes& times);

/// productive_s / daly_wall_s, in (0, 1].
double daly_ettr(double interval_s, const CheckpointTimes& times);

/// 1 - d/t - (R + t/2) / M: losses added up. Below zero far outside its range (t, R, d << M).
double first_order_ettr(double interval_s, const CheckpointTimes& times);

/// (1 - (R + t/2) / M) / (1 + d/t): Meta, arXiv 2410.21680, with 1/M = nodes x rate. First order as well.
double meta_ettr(double interval_s, const CheckpointTimes& times);

/// Mean time between interruptions of a job on `nodes` nodes that each fail `per_node_day` times a day. With it Young's
/// interval is the best dt = sqrt(2 w / (N r)) of arXiv 2410.21680.
double mtbf_from_node_rate_s(double nodes, double per_node_day);

}  // namespace toposim::analysis
