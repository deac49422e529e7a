#pragma once
// What schemes that train on with the surviving replicas have in common; drop_replica and compensate differ in when
// they give up, what a step costs, and what it is worth.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/lifecycle/scheme.hpp"
#include "sim/schemes/scheme_context.hpp"
#include "sim/schemes/scheme_spec.hpp"
#include "sim/schemes/tolerance.hpp"

namespace toposim::sim {

/// A loss costs detect, quorum, comm_init and, where ZeRO spread state over the replicas, the load of the lost shards
/// from the peers that hold a copy. Job-wide faults, and too few replicas left, restart from the last checkpoint, with
/// fewer replicas where spares are short.
class ReplicaScheme : public Scheme {
 public:
  ReplicaScheme(const SchemeSpec& spec, const SchemeContext& context);

  Response respond(const Losses& losses) const override;
  bool can_run(std::span<const std::uint32_t> missing) const override { return tolerance_.can_run(missing); }
  StepTerms step_terms(std::span<const std::uint32_t> missing) const override;
  std::vector<std::pair<std::string, double>> settings() const override { return settings_; }
  std::vector<std::string> assumptions() const override;

 protected:
  const SchemeSpec& spec() const { return spec_; }
  const Tolerance& tolerance() const { return tolerance_; }
  double dead_share(std::size_t missing) const { return static_cast<double>(missing) / replicas_; }
  bool measured() const { return measured_progress_.has_value(); }
  void add_setting(std::string name, double value) { settings_.emplace_back(std::move(name), value); }

 private:
  SchemeSpec spec_;
  Tolerance tolerance_;
  std::optional<MeasuredProgress> measured_progress_;
  double replicas_, global_batch_samples_;
  bool shards_;
  std::int64_t step_overhead_ns_;
  std::vector<std::pair<std::string, double>> settings_;
};

}  // namespace toposim::sim
