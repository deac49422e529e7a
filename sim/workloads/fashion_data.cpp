#include "sim/workloads/fashion_data.hpp"

#include <fmt/format.h>

#include "sim/workloads/data_file.hpp"
#include "sim/workloads/error.hpp"
#include "sim/workloads/idx_file.hpp"

namespace toposim::workloads {

namespace {

constexpr std::size_t packed_limit = 64u << 20, unpacked_limit = 128u << 20;

std::string unpacked(const std::string& path) {
  return gunzip(
      read_data_file(path, packed_limit, "install Debian's package dataset-fashion-mnist, or name another directory"),
      path, unpacked_limit);
}

FashionImages read_pair(const std::string& directory, const std::string& stem) {
  const std::string images_path = directory + "/" + stem + "-images-idx3-ubyte.gz";
  const std::string labels_path = directory + "/" + stem + "-labels-idx1-ubyte.gz";
  const std::string images = unpacked(images_path), labels = unpacked(labels_path);
  return parse_fashion(images, images_path, labels, labels_path);
}

}  // namespace

FashionImages parse_fashion(std::string_view images, std::string_view images_name, std::string_view labels,
                            std::string_view labels_name) {
  IdxArray image_array = parse_idx(images, images_name, 3);
  IdxArray label_array = parse_idx(labels, labels_name, 1);
  if (image_array.sizes[1] != fashion_side || image_array.sizes[2] != fashion_side)
    throw WorkloadError(fmt::format("{}: offset 8: images of {} x {} pixels, expected 28 x 28; reinstall the file",
                                    images_name, image_array.sizes[1], image_array.sizes[2]));
  if (image_array.sizes[0] != label_array.sizes[0])
    throw WorkloadError(fmt::format("{}: offset 4: {} labels, but {} has {} images; reinstall both files", labels_name,
                                    label_array.sizes[0], images_name, image_array.sizes[0]));
  for (std::size_t i = 0; i < label_array.values.size(); ++i)
    if (label_array.values[i] >= fashion_classes)
      throw WorkloadError(fmt::format("{}: offset {}: label {}, expected 0 to 9; reinstall the file", labels_name,
                                      8 + i, label_array.values[i]));
  return {std::move(image_array.values), std::move(label_array.values)};
}

FashionData read_fashion(const std::string& directory) {
  return {read_pair(directory, "train"), read_pair(directory, "t10k")};
}

const std::vector<std::string>& fashion_class_names() {
  static const std::vector<std::string> names = {"T-shirt", "trouser", "pullover", "dress", "coat",
                                                 "sandal",  "shirt",   "sneaker",  "bag",   "ankle boot"};
  return names;
}

}  // namespace toposim::workloads
