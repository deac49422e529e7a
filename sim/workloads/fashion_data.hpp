#pragma once
// Fashion-MNIST (Xiao, Rasul, Vollgraf 2017): 28 x 28 grey images of ten kinds of clothing.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::workloads {

inline constexpr std::size_t fashion_side = 28, fashion_pixels = fashion_side * fashion_side, fashion_classes = 10;

struct FashionImages {
  std::vector<std::uint8_t> pixels;  ///< image by image, row by row, 0 to 255
  std::vector<std::uint8_t> labels;  ///< below fashion_classes

  std::size_t size() const { return labels.size(); }
  std::span<const std::uint8_t> image(std::size_t i) const {
    return {pixels.data() + i * fashion_pixels, fashion_pixels};
  }
};

struct FashionData {
  FashionImages training, held_out;
};

/// Two unpacked IDX files, of images and of their labels. Throws WorkloadError.
FashionImages parse_fashion(std::string_view images, std::string_view images_name, std::string_view labels,
                            std::string_view labels_name);

/// The four files of a directory. Throws WorkloadError.
FashionData read_fashion(const std::string& directory);

const std::vector<std::string>& fashion_class_names();

}  // namespace toposim::workloads
