#include "kernels/kernel_cost.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace toposim::kernels {
namespace {

// 1 TB/s and a launch of 10 us: round numbers to divide by hand.
const DeviceSpec device{1e12, 10e-6};

TEST(KernelCost, ScaleReadsAndWrites) {
  // 1e9 values of 4 bytes, read and written: 8e9 bytes at 1e12 B/s = 8 ms, + 10 us.
  EXPECT_DOUBLE_EQ(scale_s(device, 1e9, 4), 8e-3 + 10e-6);
}

TEST(KernelCost, SketchReadsOnce) {
  // 1e9 values of 2 bytes: 2e9 / 1e12 = 2 ms, + 10 us.
  EXPECT_DOUBLE_EQ(sketch_s(device, 1e9, 2), 2e-3 + 10e-6);
}

TEST(KernelCost, GramOfSketchesIsMostlyLaunch) {
  // 128 sketches of 512 fp32 values: (128 * 512 + 128 * 128) * 4 = 327,680 bytes = 0.32768 us, + 10 us.
  EXPECT_DOUBLE_EQ(gram_s(device, 128, 512), 0.32768e-6 + 10e-6);
}

TEST(KernelCost, NothingToDoIsNotLaunched) {
  EXPECT_EQ(scale_s(device, 0, 4), 0);
  EXPECT_EQ(sketch_s(device, 0, 4), 0);
  EXPECT_EQ(gram_s(device, 0, 512), 0);
}

TEST(KernelCost, BadDeviceOrCountIsAnError) {
  EXPECT_THROW(scale_s(DeviceSpec{}, 1, 4), std::invalid_argument);
  EXPECT_THROW(scale_s(device, -1, 4), std::invalid_argument);
  EXPECT_THROW(gram_s(DeviceSpec{-1, 0}, 8, 8), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::kernels
