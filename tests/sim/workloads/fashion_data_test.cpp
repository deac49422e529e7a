#include "sim/workloads/fashion_data.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "readers.hpp"
#include "sim/workloads/data_file.hpp"
#include "sim/workloads/idx_file.hpp"
#include "workload_fixtures.hpp"

namespace toposim::workloads {
namespace {

using testing::gzip;
using testing::idx_header;
using testing::tiny_images;
using testing::tiny_labels;

FashionImages parse(const std::string& images, const std::string& labels) {
  return parse_fashion(images, "images", labels, "labels");
}

// Pixel k of image i is byte 784 i + k, times 31, modulo 256: image 1, pixel 3 is 787 x 31 = 24397 = 95 x 256 + 77.
TEST(FashionData, ImagesAndLabels) {
  const FashionImages data = parse(tiny_images(3), tiny_labels(3));
  ASSERT_EQ(data.size(), 3u);
  EXPECT_EQ(data.image(1)[3], 77);
  EXPECT_EQ(data.labels[2], 2);
}

TEST(FashionData, ErrorsSayWhere) {
  EXPECT_SAYS(parse(tiny_images(3).substr(0, 9), tiny_labels(3)), "images: offset 9: ends inside the IDX header");
  EXPECT_SAYS(parse("x" + tiny_images(3), tiny_labels(3)), "images: offset 0: an IDX file starts with two zero bytes");
  EXPECT_SAYS(parse(idx_header(13, {3, 28, 28}), tiny_labels(3)), "images: offset 2: IDX type 13");
  EXPECT_SAYS(parse(tiny_images(3), tiny_images(3)), "labels: offset 3: an array of rank 3, expected rank 1");
  EXPECT_SAYS(parse(idx_header(8, {0, 28, 28}), tiny_labels(3)), "images: offset 4: size 0 in dimension 0");
  std::string cut = tiny_images(3);
  cut.pop_back();
  EXPECT_SAYS(parse(cut, tiny_labels(3)), "images: offset 12: size 28 in dimension 2: the file holds only 2351 values");
  EXPECT_SAYS(parse(tiny_images(3) + "x", tiny_labels(3)), "images: offset 2368: 1 bytes after the last value");
  EXPECT_SAYS(parse(idx_header(8, {2, 2, 2}) + "12345678", tiny_labels(2)), "images of 2 x 2 pixels, expected 28 x 28");
  EXPECT_SAYS(parse(tiny_images(3), tiny_labels(2)), "labels: offset 4: 2 labels, but images has 3 images");
  std::string wrong = tiny_labels(3);
  wrong[9] = 10;
  EXPECT_SAYS(parse(tiny_images(3), wrong), "labels: offset 9: label 10, expected 0 to 9");
  // 2^32 - 1 squared does not overflow into something small.
  EXPECT_SAYS(parse(idx_header(8, {0xffffffff, 0xffffffff, 0xffffffff}) + "abc", tiny_labels(3)),
              "the file holds only 3");
}

TEST(FashionData, GzipErrorsSayWhere) {
  const std::string packed = gzip(tiny_images(2));
  EXPECT_EQ(gunzip(packed, "f.gz", 1 << 20), tiny_images(2));
  EXPECT_EQ(gunzip(gzip(""), "f.gz", 1 << 20), "");
  EXPECT_SAYS(gunzip(packed.substr(0, packed.size() - 1), "f.gz", 1 << 20), "f.gz: offset ");
  EXPECT_SAYS(gunzip(packed.substr(0, packed.size() - 1), "f.gz", 1 << 20), "the gzip stream is cut short");
  EXPECT_SAYS(gunzip("", "f.gz", 1 << 20), "the gzip stream is cut short");
  EXPECT_SAYS(gunzip("plain text", "f.gz", 1 << 20), "not a sound gzip stream");
  EXPECT_SAYS(gunzip(packed + "x", "f.gz", 1 << 20), "bytes after the end of the gzip stream");
  std::string damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1);  // in the CRC
  EXPECT_SAYS(gunzip(damaged, "f.gz", 1 << 20), "not a sound gzip stream");
  EXPECT_SAYS(gunzip(packed, "f.gz", 1583), "unpacks to more than 1583 bytes");
  EXPECT_EQ(gunzip(packed, "f.gz", 1584).size(), 1584u);  // 16 + 2 x 784
}

TEST(FashionData, MissingFilesNameThePackage) {
  EXPECT_SAYS(read_fashion("/nowhere"),
              "/nowhere/train-images-idx3-ubyte.gz: No such file or directory; install Debian's "
              "package dataset-fashion-mnist");
  EXPECT_SAYS(read_fashion(std::filesystem::temp_directory_path().string()), "No such file");
  EXPECT_SAYS(read_data_file("/", 10, "do something"), "do something");
}

TEST(FashionData, TooLargeAFileIsRefused) {
  const auto path = std::filesystem::temp_directory_path() / "toposim_too_large";
  std::ofstream(path) << "12345678901";
  EXPECT_SAYS(read_data_file(path.string(), 10, "take another"), "more than 10 bytes");
  EXPECT_EQ(read_data_file(path.string(), 11, ""), "12345678901");
  std::filesystem::remove(path);
}

// Whatever the bytes, there is either data or a message with an offset.
TEST(FashionData, Fuzz) {
  int refused = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const std::string images = testing::mutated(tiny_images(2), 2 * i),
                      labels = testing::mutated(tiny_labels(2), 2 * i + 1);
    const std::string said = testing::message_of([&] { EXPECT_EQ(parse(images, labels).size(), 2u); });
    refused += said != "no error";
    EXPECT_TRUE(said == "no error" || said.find("offset ") != std::string::npos) << said;
    const std::string packed = testing::mutated(gzip(tiny_labels(200)), i);
    const std::string about = testing::message_of([&] { EXPECT_EQ(gunzip(packed, "f", 4096), tiny_labels(200)); });
    EXPECT_TRUE(about == "no error" || about.find("f: offset ") == 0) << about;
  }
  EXPECT_GT(refused, 1500);
}

// The package as it is: 60,000 and 10,000 images, 6,000 and 1,000 of each class (Xiao, Rasul, Vollgraf 2017).
TEST(FashionData, ThePackage) {
  TOPOSIM_NEED_DATA();
  const FashionData data = read_fashion(DataPaths().fashion_mnist);
  EXPECT_EQ(data.training.size(), 60'000u);
  EXPECT_EQ(data.held_out.size(), 10'000u);
  for (std::uint8_t c = 0; c < 10; ++c) {
    EXPECT_EQ(std::count(data.training.labels.begin(), data.training.labels.end(), c), 6000);
    EXPECT_EQ(std::count(data.held_out.labels.begin(), data.held_out.labels.end(), c), 1000);
  }
}

}  // namespace
}  // namespace toposim::workloads
