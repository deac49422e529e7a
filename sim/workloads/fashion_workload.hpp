#pragma once
#include "sim/workloads/dense.hpp"
#include "sim/workloads/draws.hpp"
#include "sim/workloads/fashion_data.hpp"
#include "sim/workloads/workload.hpp"

namespace toposim::workloads {

/// What models on Fashion-MNIST have in common: its training images as samples, its classes as labels.
class FashionWorkload : public Workload {
 public:
  explicit FashionWorkload(FashionData data) : data_(std::move(data)) {}

  std::size_t sample_count() const final { return data_.training.size(); }
  std::uint32_t sample_label(std::size_t sample) const final { return data_.training.labels.at(sample); }
  const std::vector<std::string>& label_names() const final { return fashion_class_names(); }
  SampleKind sample_kind() const final { return SampleKind::image; }
  std::size_t sample_byte_count() const final { return fashion_pixels; }
  std::span<const std::uint8_t> sample_bytes(std::size_t sample) const final { return data_.training.image(sample); }

 protected:
  const FashionData& data() const { return data_; }

  /// Weights of a layer: normal, with the given standard deviation. `stream`: another number for each layer.
  static void draw_weights(const Draws& draws, std::uint32_t stream, const Dense& layer, double deviation,
                           std::vector<float>& parameters) {
    std::vector<double> z(layer.in * layer.out);
    draws.normals(0, stream, 0, z.data(), z.size());
    for (std::size_t i = 0; i < z.size(); ++i) parameters[layer.begin + i] = static_cast<float>(deviation * z[i]);
  }

 private:
  FashionData data_;
};

}  // namespace toposim::workloads
