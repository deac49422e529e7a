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
  iid,           ///< one deck for all workers
  shared,        ///< one deck per domain, dealt among its workers
  fixed,         ///< one deck per worker: the domain's samples split among them once, at random
  subclustered,  ///< one deck per worker: the domain's samples split among them by meaning
};

/// Where the data of workers that are gone for good go.
enum class Redeal : std::uint8_t {
  none,    ///< nowhere: they are not trained on, but for the part of every batch that is global
  domain,  ///< to the survivors of the domain, or of the job where it has none
  job,     ///< to all survivors
};

struct DealSpec {
  std::uint64_t seed = 1;
  std::uint32_t batch = 8;  ///< samples of a worker in a step
  Sharing sharing = Sharing::shared;
  double global_mix = 0.15;  ///< share of a batch from all samples, rounded to whole samples; no meaning for iid
};

class Dealer {
 public:
  /// sample_domain: per sample; worker_domain: per worker; sample_worker: per sample, for subclustered. Throws
  /// std::invalid_argument where a domain with workers has no sample (a worker, where it has a deck of its own), or
  /// settings are out of range.
  Dealer(DealSpec spec, std::span<const std::uint32_t> sample_domain, std::span<const std::uint32_t> worker_domain,
         std::span<const std::uint32_t> sample_worker = {});

  /// These workers are gone for good. What they are dealt from now on is for comparison only, from a copy of the deck
  /// they had, and takes nothing from the others. Throws std::invalid_argument where no worker is left.
  void bury(std::span<const std::uint32_t> dead, Redeal redeal);

  /// Of the next step: workers x batch sample indices.
  void deal(std::span<std::uint32_t> samples);
  std::uint64_t step() const { return step_; }
  std::uint32_t global_samples() const { return global_samples_; }  ///< of a batch

 private:
  struct Deck {
    std::vector<std::uint32_t> cards;
    std::uint64_t at = 0, epoch = 0;
    bool given_away = false;
  };
  std::uint32_t draw(std::size_t deck);
  void shuffle(std::size_t deck);
  std::vector<std::size_t> heirs(std::uint32_t dead, Redeal redeal) const;
  void hand_over(const std::vector<std::uint32_t>& cards, const std::vector<std::size_t>& heirs);

  DealSpec spec_;
  std::vector<std::uint32_t> worker_domain_;
  std::vector<std::uint8_t> buried_;      ///< per worker
  std::vector<Deck> decks_;               ///< the first is that of all samples
  std::vector<std::size_t> worker_deck_;  ///< per worker
  std::uint32_t global_samples_ = 0;
  std::uint64_t step_ = 0;
};

}  // namespace toposim::emulator
