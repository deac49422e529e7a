#include <limits>

#include "sim/accuracy/collect.hpp"

namespace toposim::accuracy {
namespace {

using analysis::Metric;
using analysis::Unit;

analysis::Named named(const SceneNumbers& numbers) {
  return {{"c_in", numbers.c_in},
          {"c_out", numbers.c_out},
          {"angle_in_deg", numbers.angle_in_deg},
          {"angle_out_deg", numbers.angle_out_deg},
          {"noise_scale_samples", numbers.noise_scale_samples},
          {"batch_over_noise_scale", numbers.batch_over_noise_scale},
          {"iid_cosine", numbers.iid_cosine},
          {"gradient_l2", numbers.gradient_l2},
          {"noise_l2", numbers.noise_l2},
          {"population_l2", numbers.population_l2},
          {"population_error_over_noise", numbers.population_error}};
}

Metric column(const std::string& name, Unit unit, const std::vector<DrawErrors>& draws, double DrawErrors::*field) {
  Metric metric{name, unit, {}, {}, false};
  for (const DrawErrors& draw : draws) metric.reals.push_back(draw.*field);
  return metric;
}

analysis::AccuracyCell cell_of(const std::string& faults, const std::string& scheme, std::uint64_t step,
                               const std::vector<DrawErrors>& draws, const std::vector<std::string>& groups) {
  analysis::AccuracyCell cell{faults, scheme, step, {}};
  Metric dead{"dead", Unit::count, {}, {}, false}, above{"above_threshold", Unit::count, {}, {}, false};
  for (const DrawErrors& draw : draws) {
    dead.integers.push_back(draw.dead);
    above.integers.push_back(draw.above_threshold ? 1 : 0);
  }
  cell.metrics.push_back(std::move(dead));
  cell.metrics.push_back(std::move(above));
  const auto add = [&](const char* name, Unit unit, double DrawErrors::*field) {
    cell.metrics.push_back(column(name, unit, draws, field));
  };
  add("global_error_ratio", Unit::ratio, &DrawErrors::global_error_ratio);
  add("global_error_over_noise", Unit::ratio, &DrawErrors::global_error_over_noise);
  add("population_error_ratio", Unit::ratio, &DrawErrors::population_error_ratio);
  add("population_error_over_noise", Unit::ratio, &DrawErrors::population_error_over_noise);
  add("global_cosine", Unit::number, &DrawErrors::global_cosine);
  add("local_l2", Unit::number, &DrawErrors::local_l2);
  add("local_cosine", Unit::number, &DrawErrors::local_cosine);
  add("lambda", Unit::number, &DrawErrors::lambda);
  add("coefficient_sum", Unit::number, &DrawErrors::coefficient_sum);
  add("effective_samples", Unit::number, &DrawErrors::effective_samples);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Metric metric{"global_error_ratio_" + groups[g], Unit::ratio, {}, {}, false};
    for (const DrawErrors& draw : draws) metric.reals.push_back(draw.group_error_ratio[g]);
    cell.metrics.push_back(std::move(metric));
  }
  return cell;
}

}  // namespace

void collect_gradient(const AccuracySpec& spec, const std::vector<GradientPoint>& points,
                      const std::vector<std::string>& groups, analysis::AccuracyResults& results) {
  for (const GradientPoint& point : points) {
    analysis::GradientScene scene{point.scene.step, named(point.scene.all), {}, point.scene.domain_cosines};
    for (std::size_t g = 0; g < groups.size(); ++g) scene.groups.emplace_back(groups[g], named(point.scene.groups[g]));
    results.scenes.push_back(std::move(scene));
    for (std::size_t f = 0; f < spec.faults.size(); ++f)
      for (std::size_t s = 0; s < spec.schemes.size(); ++s)
        results.gradient.push_back(
            cell_of(spec.faults[f].name, spec.schemes[s].name, point.scene.step, point.draws[f][s], groups));
  }
  results.draws = points.empty() ? 0 : spec.gradient.draws;
}

}  // namespace toposim::accuracy
