#include "analysis/accuracy_digest.hpp"

#include "analysis/accuracy_check.hpp"
#include "analysis/digest.hpp"

namespace toposim::analysis {
namespace {

void add_size(Fnv1a64& hash, std::size_t size) {
  hash.add(static_cast<std::uint64_t>(size));
}

void add_reals(Fnv1a64& hash, const std::vector<double>& reals) {
  add_size(hash, reals.size());
  for (const double v : reals) hash.add(v);
}

void add_scene(Fnv1a64& hash, const GradientScene& scene) {
  hash.add(scene.step);
  add_named(hash, scene.values);
  add_size(hash, scene.groups.size());
  for (const auto& [name, values] : scene.groups) {
    hash.add(std::string_view(name));
    add_named(hash, values);
  }
  add_reals(hash, scene.domain_cosines);
}

void add_cells(Fnv1a64& hash, const std::vector<AccuracyCell>& cells) {
  add_size(hash, cells.size());
  for (const AccuracyCell& cell : cells) {
    hash.add(std::string_view(cell.faults));
    hash.add(std::string_view(cell.scheme));
    hash.add(cell.step);
    add_size(hash, cell.metrics.size());
    for (const Metric& metric : cell.metrics) add_metric(hash, metric);
  }
}

void add_curve(Fnv1a64& hash, const LossCurve& curve) {
  hash.add(std::string_view(curve.faults));
  hash.add(std::string_view(curve.scheme));
  hash.add(curve.seed);
  hash.add(curve.steps);
  add_reals(hash, curve.training);
  add_size(hash, curve.held_out.size());
  for (const auto& [steps, loss] : curve.held_out) {
    hash.add(steps);
    hash.add(loss);
  }
}

}  // namespace

std::string digest(const AccuracyResults& results) {
  check(results);
  Fnv1a64 hash;
  add_size(hash, results.scenes.size());
  for (const GradientScene& scene : results.scenes) add_scene(hash, scene);
  for (const auto* cells : {&results.gradient, &results.training, &results.efficiency}) add_cells(hash, *cells);
  add_size(hash, results.curves.size());
  for (const LossCurve& curve : results.curves) add_curve(hash, curve);
  add_size(hash, results.placement.samples.size());
  for (const std::uint64_t samples : results.placement.samples) hash.add(samples);
  hash.add(results.placement.explained);
  hash.add(results.placement.purity);
  add_reals(hash, results.placement.cosines);
  return digest_text(hash);
}

}  // namespace toposim::analysis
