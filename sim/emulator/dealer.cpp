#include "sim/emulator/dealer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "faults/random_stream.hpp"

namespace toposim::emulator {
namespace {

void refuse(const std::string& what) {
  throw std::invalid_argument("dealing samples: " + what);
}

/// Fisher and Yates, with 64 random bits a card: the bias of taking them modulo is below 2^-32.
void shuffle_cards(std::vector<std::uint32_t>& cards, const faults::StreamKey& key, std::uint32_t deck,
                   std::uint64_t epoch) {
  for (std::size_t i = cards.size(); i-- > 1;) {
    const auto words = faults::random_block(key, static_cast<std::uint32_t>(i), deck, static_cast<std::uint32_t>(epoch),
                                            static_cast<std::uint32_t>(epoch >> 32));
    const std::uint64_t bits = std::uint64_t{words[0]} << 32 | words[1];
    std::swap(cards[i], cards[bits % (i + 1)]);
  }
}

}  // namespace

Dealer::Dealer(DealSpec spec, std::span<const std::uint32_t> sample_domain,
               std::span<const std::uint32_t> worker_domain)
    : spec_(spec) {
  if (spec_.batch == 0) refuse("batch = 0 must be at least 1");
  if (!(spec_.global_mix >= 0 && spec_.global_mix <= 1))
    refuse(fmt::format("global_mix = {} must be between 0 and 1", spec_.global_mix));
  if (worker_domain.empty() || sample_domain.empty()) refuse("no workers, or no samples");
  global_samples_ = spec_.sharing == Sharing::iid
                        ? spec_.batch
                        : static_cast<std::uint32_t>(std::lround(spec_.global_mix * spec_.batch));

  const std::size_t domains = *std::max_element(worker_domain.begin(), worker_domain.end()) + std::size_t{1};
  std::vector<std::vector<std::uint32_t>> samples(domains), workers(domains);
  for (std::uint32_t s = 0; s < sample_domain.size(); ++s) {
    if (sample_domain[s] >= domains)
      refuse(fmt::format("sample {} is in domain {} of {}", s, sample_domain[s], domains));
    samples[sample_domain[s]].push_back(s);
  }
  for (std::uint32_t w = 0; w < worker_domain.size(); ++w) workers[worker_domain[w]].push_back(w);
  worker_deck_.resize(worker_domain.size());
  const faults::StreamKey key = faults::stream_key(spec_.seed, faults::StreamPurpose::dealing, "split");
  for (std::uint32_t d = 0; d < domains && spec_.sharing != Sharing::iid; ++d) {
    const std::size_t decks = spec_.sharing == Sharing::shared ? 1 : workers[d].size();
    if (!workers[d].empty() && samples[d].size() < decks)
      refuse(fmt::format("domain {} has {} samples for {} workers", d, samples[d].size(), workers[d].size()));
    if (decks > 1) shuffle_cards(samples[d], key, d, 0);
    for (std::size_t i = 0; i < workers[d].size(); ++i) worker_deck_[workers[d][i]] = decks_.size() + i % decks;
    for (std::size_t i = 0; i < decks; ++i) {
      const std::size_t n = samples[d].size();
      decks_.push_back({{samples[d].begin() + static_cast<std::ptrdiff_t>(n * i / decks),
                         samples[d].begin() + static_cast<std::ptrdiff_t>(n * (i + 1) / decks)}});
      std::sort(decks_.back().cards.begin(), decks_.back().cards.end());
    }
  }
  decks_.push_back({std::vector<std::uint32_t>(sample_domain.size())});
  std::iota(decks_.back().cards.begin(), decks_.back().cards.end(), 0U);
  for (std::size_t deck = 0; deck < decks_.size(); ++deck) shuffle(deck);
}

void Dealer::shuffle(std::size_t deck) {
  const faults::StreamKey key = faults::stream_key(spec_.seed, faults::StreamPurpose::dealing, "deck");
  shuffle_cards(decks_[deck].cards, key, static_cast<std::uint32_t>(deck), decks_[deck].epoch);
}

std::uint32_t Dealer::draw(std::size_t deck) {
  Deck& from = decks_[deck];
  if (from.at == from.cards.size()) {
    from.at = 0;
    ++from.epoch;
    shuffle(deck);
  }
  return from.cards[from.at++];
}

void Dealer::deal(std::span<std::uint32_t> samples) {
  if (samples.size() != worker_deck_.size() * spec_.batch)
    refuse(
        fmt::format("room for {} samples, {} workers take {} each", samples.size(), worker_deck_.size(), spec_.batch));
  std::size_t at = 0;
  for (const std::size_t deck : worker_deck_)
    for (std::uint32_t i = 0; i < spec_.batch; ++i)
      samples[at++] = draw(i < global_samples_ ? decks_.size() - 1 : deck);
  ++step_;
}

}  // namespace toposim::emulator
