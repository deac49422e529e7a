#include "sim/emulator/dealer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "faults/random_stream.hpp"

namespace toposim::emulator {
namespace {

void refuse_dealing(const std::string& what) {
  throw std::invalid_argument("dealing samples: " + what);
}

/// Fisher and Yates over the cards from `first` on, with 64 random bits a card: the bias of taking them modulo is below
/// 2^-32.
void shuffle_cards(std::vector<std::uint32_t>& cards, const faults::StreamKey& key, std::uint32_t deck,
                   std::uint64_t epoch, std::size_t first = 0) {
  for (std::size_t i = cards.size(); i-- > first + 1;) {
    const auto words = faults::random_block(key, static_cast<std::uint32_t>(i), deck, static_cast<std::uint32_t>(epoch),
                                            static_cast<std::uint32_t>(epoch >> 32));
    const std::uint64_t bits = std::uint64_t{words[0]} << 32 | words[1];
    std::swap(cards[i], cards[first + bits % (i + 1 - first)]);
  }
}

}  // namespace

Dealer::Dealer(DealSpec spec, std::span<const std::uint32_t> sample_domain,
               std::span<const std::uint32_t> worker_domain, std::span<const std::uint32_t> sample_worker)
    : spec_(spec), worker_domain_(worker_domain.begin(), worker_domain.end()) {
  if (spec_.batch == 0) refuse_dealing("batch = 0 must be at least 1");
  if (!(spec_.global_mix >= 0 && spec_.global_mix <= 1))
    refuse_dealing(fmt::format("global_mix = {} must be between 0 and 1", spec_.global_mix));
  if (worker_domain.empty() || sample_domain.empty()) refuse_dealing("no workers, or no samples");
  global_samples_ = spec_.sharing == Sharing::iid
                        ? spec_.batch
                        : static_cast<std::uint32_t>(std::lround(spec_.global_mix * spec_.batch));

  const std::size_t domains = *std::max_element(worker_domain.begin(), worker_domain.end()) + std::size_t{1};
  std::vector<std::vector<std::uint32_t>> samples(domains), workers(domains);
  for (std::uint32_t s = 0; s < sample_domain.size(); ++s) {
    if (sample_domain[s] >= domains)
      refuse_dealing(fmt::format("sample {} is in domain {} of {}", s, sample_domain[s], domains));
    samples[sample_domain[s]].push_back(s);
  }
  for (std::uint32_t w = 0; w < worker_domain.size(); ++w) workers[worker_domain[w]].push_back(w);

  decks_.push_back({std::vector<std::uint32_t>(sample_domain.size())});
  std::iota(decks_.back().cards.begin(), decks_.back().cards.end(), 0U);
  worker_deck_.resize(worker_domain.size());
  buried_.resize(worker_domain.size());
  switch (spec_.sharing) {
    case Sharing::iid:
      break;
    case Sharing::shared:
      for (std::uint32_t d = 0; d < domains; ++d) {
        if (!workers[d].empty() && samples[d].empty()) refuse_dealing(fmt::format("domain {} has no sample", d));
        for (const std::uint32_t w : workers[d]) worker_deck_[w] = decks_.size();
        decks_.push_back({std::move(samples[d])});
      }
      break;
    case Sharing::fixed: {
      const faults::StreamKey key = faults::stream_key(spec_.seed, faults::StreamPurpose::dealing, "split");
      for (std::uint32_t d = 0; d < domains; ++d) {
        const std::size_t n = samples[d].size(), pieces = workers[d].size();
        if (n < pieces) refuse_dealing(fmt::format("domain {} has {} samples for {} workers", d, n, pieces));
        shuffle_cards(samples[d], key, d, 0);
        for (std::size_t i = 0; i < pieces; ++i) {
          worker_deck_[workers[d][i]] = decks_.size();
          decks_.push_back({{samples[d].begin() + static_cast<std::ptrdiff_t>(n * i / pieces),
                             samples[d].begin() + static_cast<std::ptrdiff_t>(n * (i + 1) / pieces)}});
          std::sort(decks_.back().cards.begin(), decks_.back().cards.end());
        }
      }
      break;
    }
    case Sharing::subclustered:
      if (sample_worker.size() != sample_domain.size())
        refuse_dealing(fmt::format("{} samples have a worker of {}", sample_worker.size(), sample_domain.size()));
      for (std::uint32_t w = 0; w < worker_domain.size(); ++w) {
        worker_deck_[w] = decks_.size();
        decks_.emplace_back();
      }
      for (std::uint32_t s = 0; s < sample_worker.size(); ++s) {
        if (sample_worker[s] >= worker_domain.size() || worker_domain[sample_worker[s]] != sample_domain[s])
          refuse_dealing(fmt::format("sample {} of domain {} is given to worker {}, which is not of it", s,
                                     sample_domain[s], sample_worker[s]));
        decks_[worker_deck_[sample_worker[s]]].cards.push_back(s);
      }
      for (std::uint32_t w = 0; w < worker_domain.size(); ++w)
        if (decks_[worker_deck_[w]].cards.empty()) refuse_dealing(fmt::format("worker {} has no sample", w));
      break;
  }
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

/// Decks of the survivors that a dead worker's samples go to, each once.
std::vector<std::size_t> Dealer::heirs(std::uint32_t dead, Redeal redeal) const {
  std::vector<std::size_t> decks;
  for (std::uint32_t w = 0; w < worker_deck_.size(); ++w)
    if (buried_[w] == 0 && (redeal == Redeal::job || worker_domain_[w] == worker_domain_[dead]))
      decks.push_back(worker_deck_[w]);
  std::sort(decks.begin(), decks.end());
  decks.erase(std::unique(decks.begin(), decks.end()), decks.end());
  return decks.empty() && redeal == Redeal::domain ? heirs(dead, Redeal::job) : decks;
}

/// Card by card in turn, shuffled into what this epoch has left of each heir's deck.
void Dealer::hand_over(const std::vector<std::uint32_t>& cards, const std::vector<std::size_t>& heirs) {
  for (std::size_t i = 0; i < cards.size(); ++i) decks_[heirs[i % heirs.size()]].cards.push_back(cards[i]);
  const faults::StreamKey key = faults::stream_key(spec_.seed, faults::StreamPurpose::dealing, "redeal");
  for (const std::size_t deck : heirs)
    shuffle_cards(decks_[deck].cards, key, static_cast<std::uint32_t>(deck), decks_[deck].cards.size(),
                  decks_[deck].at);
}

void Dealer::bury(std::span<const std::uint32_t> dead, Redeal redeal) {
  std::vector<std::uint32_t> new_dead;
  for (const std::uint32_t w : dead)
    if (std::exchange(buried_.at(w), 1) == 0) new_dead.push_back(w);
  if (std::all_of(buried_.begin(), buried_.end(), [](std::uint8_t b) { return b != 0; }))
    refuse_dealing("no worker is left");
  const std::vector<std::size_t> decks_before = worker_deck_;
  for (const std::uint32_t w : new_dead) {
    const std::size_t old = decks_before[w];
    // Its share of a deck that others hold too, all of one that nobody else holds.
    std::size_t holders = 1, all_holders = 0;
    for (std::uint32_t other = 0; other < decks_before.size(); ++other) {
      all_holders += decks_before[other] == old ? 1 : 0;
      holders += worker_deck_[other] == old && other != w && buried_[other] == 0 ? 1 : 0;
    }
    Deck ghost = decks_[old];
    worker_deck_[w] = decks_.size();
    if (redeal != Redeal::none && old != 0) {
      const std::vector<std::size_t> to = heirs(w, redeal);
      if (holders == 1) {
        // Nobody is left to hold it. The rest of the domain died with it, so that its deck goes at once.
        if (std::exchange(decks_[old].given_away, true) == false) hand_over(ghost.cards, to);
      } else if (redeal == Redeal::job) {
        std::vector<std::uint32_t>& cards = decks_[old].cards;
        const std::size_t part = ghost.cards.size() / all_holders;
        std::vector<std::uint32_t> moved;
        for (std::size_t i = 0; i < part && cards.size() > 1; ++i) {
          moved.push_back(cards.back());
          cards.pop_back();
        }
        decks_[old].at = std::min<std::uint64_t>(decks_[old].at, cards.size());
        hand_over(moved, to);
      }
    }
    decks_.push_back(std::move(ghost));
  }
}

void Dealer::deal(std::span<std::uint32_t> samples) {
  if (samples.size() != worker_deck_.size() * spec_.batch)
    refuse_dealing(
        fmt::format("room for {} samples, {} workers take {} each", samples.size(), worker_deck_.size(), spec_.batch));
  std::size_t at = 0;
  for (const std::size_t deck : worker_deck_)
    for (std::uint32_t i = 0; i < spec_.batch; ++i) samples[at++] = draw(i < global_samples_ ? 0 : deck);
  ++step_;
}

}  // namespace toposim::emulator
