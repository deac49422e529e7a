// The estimators against an independent implementation's coefficients and errors: 16 workers in 2 domains of 8, three
// steps of history, workers 2 and 9 dead.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/estimators/estimator.hpp"
#include "kernels/estimators/exact_error.hpp"
#include "kernels/estimators/shrink.hpp"

namespace toposim::estimators::test {
namespace {

using nlohmann::json;

struct Fixture {
  json file;
  std::size_t workers = 0, width = 0, newest = 0;
  std::vector<std::vector<float>> rows;  // by age
  std::vector<std::uint8_t> all, alive;
  std::vector<std::uint32_t> domain;
  std::vector<float> centroids;
  Observations seen;

  explicit Fixture(const std::string& path) {
    std::ifstream in(path);
    file = json::parse(in);
    workers = file["W"];
    newest = file["K"];
    width = file["G"][0][0].size();
    for (std::size_t age = 0; age <= newest; ++age) {
      rows.emplace_back();
      for (const auto& worker : file["G"][newest - age])
        for (const float x : worker) rows.back().push_back(x);
    }
    for (const auto& worker : file["centroids"])
      for (const float x : worker) centroids.push_back(x);
    all.assign(workers, 1);
    alive = all;
    for (const std::size_t dead : file["failed"]) alive[dead] = 0;
    for (std::size_t w = 0; w < workers; ++w)
      domain.push_back(static_cast<std::uint32_t>(w / static_cast<std::size_t>(file["D"])));
    seen = {workers, width, domain, {}, centroids.size() / workers, centroids};
    for (std::size_t age = 0; age <= newest; ++age) seen.steps.push_back({rows[age], age == 0 ? alive : all});
  }
  double product(const Term& a, const Term& b) const {
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k)
      sum += static_cast<double>(rows[a.age][a.worker * width + k]) *
             static_cast<double>(rows[b.age][b.worker * width + k]);
    return sum;
  }
  /// The same error without inner products: form the vector, subtract, measure.
  double direct_error(std::span<const Term> estimate, std::span<const Term> truth) const {
    double error = 0, length = 0;
    for (std::size_t k = 0; k < width; ++k) {
      double e = 0, t = 0;
      for (const Term& term : estimate)
        e += term.coefficient * static_cast<double>(rows[term.age][term.worker * width + k]);
      for (const Term& term : truth)
        t += term.coefficient * static_cast<double>(rows[term.age][term.worker * width + k]);
      error += (e - t) * (e - t);
      length += t * t;
    }
    return std::sqrt(error / length);
  }
};

std::string path() {
  return std::string(TOPOSIM_SHARED_DATA) + "/accuracy/estimators_golden.json";
}

TEST(EstimatorsGolden, CoefficientsAndErrorsAreReproduced) {
  if (!std::ifstream(path())) GTEST_SKIP() << "no reference data at " << path();
  const Fixture fixture(path());
  const Products products(fixture.seen);
  const auto product = [&](const Term& a, const Term& b) { return fixture.product(a, b); };
  std::vector<Term> full;
  for (std::uint32_t w = 0; w < fixture.workers; ++w)
    full.push_back({0, w, 1.0 / static_cast<double>(fixture.workers)});

  std::size_t checked = 0;
  for (const EstimatorKind& kind : estimators()) {
    if (!fixture.file["est"].contains(std::string(kind.name))) continue;
    SCOPED_TRACE(std::string(kind.name));
    ++checked;
    const json& expected = fixture.file["est"][std::string(kind.name)];
    const Estimates estimates = kind.make()->estimate(products);
    ASSERT_EQ(estimates.dead.size(), 2U);
    for (const Estimate& estimate : estimates.dead) {
      SCOPED_TRACE(estimate.worker);
      const json& of_worker = expected[std::to_string(estimate.worker)];
      std::map<std::size_t, double> found;
      for (const Term& term : estimate.terms)
        if (term.coefficient != 0)
          found[(fixture.newest - term.age) * fixture.workers + term.worker] = term.coefficient;
      EXPECT_EQ(found.size(), of_worker["coef_nonzero"].size());
      for (const auto& [key, value] : of_worker["coef_nonzero"].items())
        EXPECT_NEAR(found[std::stoul(key)], value.get<double>(), 1e-5) << key;
      const std::vector<Term> truth{{0, estimate.worker, 1.0}};
      EXPECT_NEAR(relative_error(estimate.terms, truth, product), of_worker["rel_l2"].get<double>(), 1e-5);
    }
    const std::vector<Term> step = step_coefficients(products, estimates);
    const double error = relative_error(step, full, product);
    EXPECT_NEAR(error, expected["global_rel_l2"].get<double>(), 1e-5);
    EXPECT_NEAR(error, fixture.direct_error(step, full), 1e-9);
  }
  EXPECT_EQ(checked, fixture.file["est"].size()) << "every estimator of the fixture";
  EXPECT_NEAR(lambda_of(lambda_sums(products)), fixture.file["shrink_lambda"].get<double>(), 1e-7);
}

}  // namespace
}  // namespace toposim::estimators::test
