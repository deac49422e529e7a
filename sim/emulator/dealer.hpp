#pragma once
// Which samples each virtual worker gets in each step.
//
// Every pool of samples (a domain's, or all of them) is a deck: shuffled once per epoch, dealt from the top, shuffled
// anew when it runs out. A worker's batch takes `global_mix` of its samples from the deck of all samples and the rest
// from its domain's. Decks are functions of (seed, deck, epoch), so a run deals the same whatever its workers do.
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::emulator {

enum class Sharing : std::uint8_t {
  iid,     ///< one deck for all workers
  shared,  ///< one deck per domain, dealt among its workers
  fixed,   ///< one deck per worker: the domain's samples split among them once, at random
};

struct DealSpec {
  std::uint64_t seed = 1;
  std::uint32_t batch = 8;  ///< samples of a worker in a step
  Sharing sharing = Sharing::shared;
  double global_mix = 0.15;  ///< share of a batch from all samples, rounded to whole samples; no meaning for iid
};

class Dealer {
 public:
  /// sample_domain: per sample; worker_domain: per worker. Throws std::invalid_argument where a domain with workers has
  /// no sample (for fixed: fewer samples than workers), or settings are out of range.
  Dealer(DealSpec spec, std::span<const std::uint32_t> sample_domain, std::span<const std::uint32_t> worker_domain);

  /// Of the next step: workers x batch sample indices.
  void deal(std::span<std::uint32_t> samples);
  std::uint64_t step() const { return step_; }
  std::uint32_t global_samples() const { return global_samples_; }  ///< of a batch

 private:
  struct Deck {
    std::vector<std::uint32_t> cards;
    std::uint64_t at = 0, epoch = 0;
  };
  std::uint32_t draw(std::size_t deck);
  void shuffle(std::size_t deck);

  DealSpec spec_;
  std::vector<Deck> decks_;               ///< the last is that of all samples
  std::vector<std::size_t> worker_deck_;  ///< per worker
  std::uint32_t global_samples_ = 0;
  std::uint64_t step_ = 0;
};

}  // namespace toposim::emulator
