#include "analysis/report/verdict.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "analysis/check.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

constexpr int name_columns = 32;

std::optional<Summary<double>> paired(const SchemeResults& scheme, const SchemeResults& reference,
                                      std::string_view name) {
  const Metric *a = find_metric(scheme, name), *b = find_metric(reference, name);
  if (!a || !b || a->unit != Unit::ratio || a->reals.empty()) return std::nullopt;
  return summarise(difference(*a, *b));
}

std::string in_brackets(const Interval& interval) {
  return kept_together(fmt::format("(95 % interval {})", percent_range(interval, true)));
}

std::string points(const Summary<double>& d, std::string_view of) {
  return fmt::format("{} points of {}", percent(d.mean, half_width(d), true), of);
}

/// "+5.19 points of ETTR over checkpoint_restart (95 % interval +5.10..+5.28)"
std::string comparison(const Summary<double>& d, std::string_view of, const std::string& reference) {
  switch (finding(d)) {
    case Finding::identical:
      return fmt::format("the same {} as {} in every run", of, reference);
    case Finding::unknown:
      if (d.mean == 0) return fmt::format("the same {} as {} in the one run", of, reference);
      return fmt::format("{} against {} in the one run", points(d, of), reference);
    case Finding::undecided:
      return fmt::format("no difference in {} from {} that {} runs can show {}", of, reference, d.n,
                         in_brackets(*d.interval));
    case Finding::better:
    case Finding::worse:
      break;
  }
  return fmt::format("{} {} {} {}", points(d, of), finding(d) == Finding::better ? "over" : "against", reference,
                     in_brackets(*d.interval));
}

/// "-2.00 points of sample goodput (95 % interval ...)", as what follows "but".
std::string other_story(const Summary<double>& d, std::string_view of) {
  switch (finding(d)) {
    case Finding::unknown:
      return points(d, of);
    case Finding::identical:
      return fmt::format("the same {} in every run", of);
    case Finding::undecided:
      return fmt::format("no difference in {} that {} runs can show", of, d.n);
    case Finding::better:
    case Finding::worse:
      break;
  }
  return fmt::format("{} {}", points(d, of), in_brackets(*d.interval));
}

/// Against the first scheme, in ETTR and, where they tell another story, in samples and in progress.
std::string against_first(const SchemeResults& scheme, const SchemeResults& first, const Summary<double>& ettr,
                          const ReportStyle& style) {
  std::string text = comparison(ettr, "ETTR", shortened(first.name, name_columns, style));
  Finding told = finding(ettr);
  const char* progress = scheme.time_to_quality ? "measured progress" : "assumed progress";
  const std::pair<const char*, const char*> others[] = {{"goodput_samples", "sample goodput"},
                                                        {"goodput_progress", progress}};
  for (const auto& [name, of] : others) {
    const auto other = paired(scheme, first, name);
    if (!other || finding(*other) == told) continue;
    text += ", but " + other_story(*other, of);
    told = finding(*other);
  }
  return text;
}

/// The highest mean ETTR between the first scheme and this one, so that every pair is compared once.
std::optional<std::size_t> rival_of(const Results& results, std::size_t scheme) {
  std::optional<std::size_t> best;
  double best_ettr = 0;
  for (std::size_t s = 1; s < scheme; ++s) {
    const double ettr = summarise(*find_metric(results.schemes[s], "ettr")).mean;
    if (best && ettr <= best_ettr) continue;
    best = s;
    best_ettr = ettr;
  }
  return best;
}

/// ", 88.2 % of the samples of a run without faults", where time in use does not tell that: steps slowed by a bad GPU
/// or cable, or short of replicas, are productive time.
std::string samples_kept(const SchemeResults& scheme, const Summary<double>& ettr) {
  constexpr double worth_a_word = 0.001;
  const Metric* samples = find_metric(scheme, "goodput_samples");
  if (!samples || samples->unit != Unit::ratio || samples->reals.empty()) return {};
  const Summary<double> kept = summarise(*samples);
  if (ettr.mean - kept.mean < worth_a_word) return {};
  return fmt::format(", {} % of the samples of a run without faults", percent(kept.mean, half_width(kept)));
}

}  // namespace

Finding finding(const Summary<double>& d) {
  if (!d.interval) return Finding::unknown;
  if (d.min == 0 && d.max == 0) return Finding::identical;
  if (d.interval->low > 0) return Finding::better;
  if (d.interval->high < 0) return Finding::worse;
  return Finding::undecided;
}

std::string percent(double share, double half_width, bool sign) {
  const std::string text = grouped(100 * share, decimals_for(100 * half_width));
  return sign && !text.starts_with('-') ? "+" + text : text;
}

std::string percent_range(const Interval& interval, bool sign) {
  const auto bound = [&](double value) {
    const std::string text = percent(value, interval.half_width(), sign);
    const bool reads_as_zero = text.find_first_of("123456789") == std::string::npos;
    return value != 0 && reads_as_zero ? percent(value, std::abs(value), sign) : text;
  };
  return bound(interval.low) + ".." + bound(interval.high);
}

std::string verdict(const Results& results, std::size_t scheme, const ReportStyle& style) {
  const SchemeResults& s = results.schemes[scheme];
  const SchemeResults& first = results.schemes.front();
  const Metric* ettr = find_metric(s, "ettr");
  if (!ettr || ettr->unit != Unit::ratio || ettr->reals.empty()) return {};
  const Summary<double> mean = summarise(*ettr);
  std::string text = fmt::format("{}: useful {} % of the time", shortened(s.name, name_columns, style),
                                 percent(mean.mean, half_width(mean)));
  const std::string samples = samples_kept(s, mean);
  if (scheme == 0) {
    if (!mean.interval) return text + " (one run, so no interval)" + samples + ".";
    return text + " " + kept_together(fmt::format("(ETTR, 95 % interval {})", percent_range(*mean.interval, false))) +
           samples + ".";
  }
  text += samples + "; " + against_first(s, first, *paired(s, first, "ettr"), style);
  if (const auto rival = rival_of(results, scheme)) {
    const SchemeResults& r = results.schemes[*rival];
    text += "; " + comparison(*paired(s, r, "ettr"), "ETTR", shortened(r.name, name_columns, style));
  }
  return text + ".";
}

}  // namespace toposim::analysis
