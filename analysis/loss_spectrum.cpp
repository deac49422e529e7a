#include "analysis/loss_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace toposim::analysis {
namespace {

constexpr std::size_t most = 4096, least = 16;

/// The values less their least-squares line.
std::vector<double> without_line(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, along = 0, square = 0;
  for (const double v : values) mean += v / n;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - (n - 1) / 2;
    along += x * (values[i] - mean);
    square += x * x;
  }
  std::vector<double> rest(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    rest[i] = values[i] - mean - along / square * (static_cast<double>(i) - (n - 1) / 2);
  return rest;
}

/// P(g > x) for the largest of m shares of white noise's power: sum over j of (-1)^(j-1) C(m, j) (1 - j x)^(m-1), j up
/// to 1 / x. Terms alternate and grow large where x is small, and the sum is then 1.
double fisher_p(double share, std::size_t m) {
  const auto count = static_cast<double>(m);
  // The first term bounds the sum from above (Bonferroni); where it is near 1 or above, nothing stands out.
  const double first = count * std::pow(1 - share, count - 1);
  if (first > 0.5) return 1;
  double sum = 0, choose = 1;
  for (std::size_t j = 1; j <= m && static_cast<double>(j) * share < 1; ++j) {
    choose *= (count - static_cast<double>(j) + 1) / static_cast<double>(j);
    const double term = choose * std::pow(1 - static_cast<double>(j) * share, count - 1);
    sum += j % 2 == 1 ? term : -term;
  }
  return std::clamp(sum, 0.0, 1.0);
}

}  // namespace

LossSwing loss_swing(std::span<const double> losses, double part) {
  LossSwing swing;
  const auto wanted = static_cast<std::size_t>(part * static_cast<double>(losses.size()));
  const std::span<const double> last = losses.last(std::min({wanted, most, losses.size()}));
  if (last.size() < least || !std::all_of(last.begin(), last.end(), [](double loss) { return std::isfinite(loss); }))
    return swing;
  const std::vector<double> rest = without_line(last);
  const std::size_t n = rest.size();
  double mean = 0, square = 0;
  for (const double loss : last) mean += loss / static_cast<double>(n);
  for (const double r : rest) square += r * r;
  // A constant leaves rounding, and no more.
  if (!(square > 1e-24 * mean * mean * static_cast<double>(n))) return swing;
  swing.relative_sd = std::sqrt(square / static_cast<double>(n - 2)) / std::abs(mean);
  // The periodogram at the Fourier frequencies 1 .. (n - 1) / 2.
  const std::size_t frequencies = (n - 1) / 2;
  double total = 0, peak = 0;
  for (std::size_t k = 1; k <= frequencies; ++k) {
    double cosine = 0, sine = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k * i % n) / static_cast<double>(n);
      cosine += rest[i] * std::cos(angle);
      sine += rest[i] * std::sin(angle);
    }
    const double power = cosine * cosine + sine * sine;
    total += power;
    if (power <= peak) continue;
    peak = power;
    swing.periods = static_cast<double>(k);
    swing.period_steps = static_cast<double>(n) / static_cast<double>(k);
  }
  swing.power_share = total > 0 ? peak / total : 0;
  swing.p_value = fisher_p(swing.power_share, frequencies);
  return swing;
}

}  // namespace toposim::analysis
