#pragma once
// Gradients per worker that were recorded in somebody's own training: what estimators would have done there is measured
// on them. The format is described in index_file.hpp; example/record_gradients.py writes it.
//
// A recording may be far larger than memory: rows are read in parts, as they are asked for.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/recorded/error.hpp"
#include "sim/recorded/parameter_order.hpp"
#include "topology/semantic/embeddings.hpp"

namespace toposim::recorded {

/// Constant once open; copies share their files. All members may be called from any thread.
class RecordedGradients {
 public:
  /// `path`: the index, or a folder with an index.json. Looks at the headers and sizes of all files and reads no
  /// gradients. Throws RecordedError with up to Problems::told_max problems.
  static RecordedGradients open(const std::string& path);

  std::uint64_t workers() const;
  std::uint64_t parameters() const;
  const std::vector<Group>& groups() const;
  const std::vector<std::uint64_t>& steps() const;    ///< of the training, increasing
  const std::vector<std::uint32_t>& domains() const;  ///< per worker; empty: not recorded
  std::optional<std::uint64_t> batch() const;         ///< samples behind one worker's gradient
  const topology::Embeddings* embeddings() const;     ///< row per worker; null: not recorded
  const std::string& index_path() const;

  /// The gradient of `worker` in steps()[step]: parameters() numbers. Throws RecordedError where a file changed since
  /// it was opened or cannot be read, or holds a NaN or an infinity: with file, tensor and byte.
  void read(std::size_t step, std::uint64_t worker, std::span<float> out) const;
  /// Parameters begin .. begin + out.size() - 1 of it.
  void read(std::size_t step, std::uint64_t worker, std::uint64_t begin, std::span<float> out) const;

 private:
  struct State;
  explicit RecordedGradients(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace toposim::recorded
