#include <array>

#include "sim/workloads/wordnet_data.hpp"

namespace toposim::workloads {

namespace {

constexpr std::size_t held_out_every = 20;

/// A sample per synset of `order` (indices, of all fields).
TextSamples samples_of(const std::vector<Synset>& synsets, const std::vector<std::size_t>& order) {
  std::array<std::vector<std::size_t>, lexicographer_files> field_order;
  std::vector<std::size_t> place;
  for (const std::size_t i : order) {
    auto& same_field = field_order[synsets[i].field];
    place.push_back(same_field.size());
    same_field.push_back(i);
  }
  TextSamples samples;
  samples.bytes.reserve(order.size() * text_bytes);
  for (std::size_t s = 0; s < order.size(); ++s) {
    const auto& same_field = field_order[synsets[order[s]].field];
    const std::size_t end = (s + 1) * text_bytes;
    for (std::size_t at = place[s]; samples.bytes.size() < end; at = (at + 1) % same_field.size()) {
      const std::string& text = synsets[same_field[at]].text;
      const std::size_t part = std::min(text.size(), end - samples.bytes.size());
      samples.bytes.insert(samples.bytes.end(), text.begin(), text.begin() + static_cast<std::ptrdiff_t>(part));
    }
    samples.fields.push_back(synsets[order[s]].field);
  }
  return samples;
}

}  // namespace

WordnetData sample_synsets(const std::vector<Synset>& synsets) {
  std::array<std::size_t, lexicographer_files> seen{};
  std::vector<std::size_t> training, held_out;
  for (std::size_t i = 0; i < synsets.size(); ++i)
    (++seen[synsets[i].field] % held_out_every == 0 ? held_out : training).push_back(i);
  return {samples_of(synsets, training), samples_of(synsets, held_out)};
}

}  // namespace toposim::workloads
