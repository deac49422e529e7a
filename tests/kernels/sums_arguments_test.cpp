// What operations that add over elements refuse: those with a workspace and results of another type.
#include <gtest/gtest.h>

#include "refusals.hpp"

namespace toposim::kernels::refusals {
namespace {

// 256 elements are one strip: 4 fp32 sums (16 bytes), and twice 4 fp64 numbers: 80 bytes.
TEST(Arguments, Compare) {
  refuses(
      run_compare,
      {
          {[](Call& c) { c.compare.elements = 0; }, "elements is 0"},
          {[](Call& c) { c.compare.elements = too_many; }, "elements is 281474976710657"},
          {[](Call& c) { c.compare.type = static_cast<tk_type>(3); }, "type is 3"},
          {[](Call& c) { c.compare.estimate.data = nullptr; }, "estimate is a null pointer"},
          {[](Call& c) { c.compare.truth.data = off_by(2, c.compare.truth.data); }, "truth is at"},
          {[](Call& c) {
             c.compare.type = TK_INT8;
             c.compare.truth.scales = nullptr;
           },
           "scales of an input is a null"},
          {[](Call& c) { c.compare.result = nullptr; }, "result is a null pointer"},
          {[](Call& c) { c.compare.result = off_by(4, c.compare.result); }, "not a multiple of 8"},
          {[](Call& c) { c.compare.result = reinterpret_cast<tk_metrics_sums*>(c.memory.input[0] + 992); }, "overlap"},
          {[](Call& c) { c.exec.workspace = nullptr; }, "0 bytes and 80 are needed", TK_WORKSPACE},
          {[](Call& c) { c.exec.workspace_bytes = 79; }, "79 bytes and 80 are needed", TK_WORKSPACE},
          {[](Call& c) {
             c.exec.workspace = off_by(8, c.exec.workspace);
             c.exec.workspace_bytes = 80;
           },
           "workspace is at"},
          {[](Call& c) { c.exec.workspace = c.memory.input[0] + 512; }, "overlap"},
          {[](Call& c) { c.exec.workspace = &c.memory.sums; }, "overlap"},
      });
  accepts(run_compare, {[](Call& c) { c.exec.workspace_bytes = 80; }, [](Call& c) { c.compare.type = TK_INT8; },
                        [](Call& c) { c.compare.truth = c.compare.estimate; }});
}

TEST(Arguments, PoolMetrics) {
  refuses(
      run_pool_metrics,
      {
          {[](Call& c) { c.pool_metrics.elements = 0; }, "elements is 0"},
          {[](Call& c) { c.pool_metrics.elements = too_many; }, "elements is 281474976710657"},
          {[](Call& c) { c.pool_metrics.inputs = 0; }, "inputs is 0"},
          {[](Call& c) { c.pool_metrics.inputs = 65; }, "inputs is 65"},
          {[](Call& c) { c.pool_metrics.type = static_cast<tk_type>(3); }, "type is 3"},
          {[](Call& c) { c.pool_metrics.input = nullptr; }, "input is a null pointer"},
          {[](Call& c) { c.input[2].data = nullptr; }, "input[2] is a null pointer"},
          {[](Call& c) { c.input[2].data = off_by(3, c.input[2].data); }, "input[2] is at"},
          {[](Call& c) { c.pool_metrics.weights = nullptr; }, "weights is a null pointer"},
          {[](Call& c) { c.weights[1] = infinite; }, "weights[1] is inf"},
          {[](Call& c) {
             c.pool_metrics.normalise = 1;
             c.weights = {0, 0, 0};
           },
           "add up to zero", TK_ZERO_WEIGHTS},
          {[](Call& c) { c.pool_metrics.truth.data = nullptr; }, "truth is a null pointer"},
          {[](Call& c) { c.pool_metrics.result = nullptr; }, "result is a null pointer"},
          {[](Call& c) { c.pool_metrics.result = off_by(4, c.pool_metrics.result); }, "not a multiple of 8"},
          {[](Call& c) { c.pool_metrics.result = reinterpret_cast<tk_metrics_sums*>(c.memory.input[2]); }, "overlap"},
          {[](Call& c) { c.exec.workspace = nullptr; }, "0 bytes and 80 are needed", TK_WORKSPACE},
          {[](Call& c) { c.exec.workspace_bytes = 79; }, "79 bytes and 80 are needed", TK_WORKSPACE},
      });
  accepts(run_pool_metrics, {[](Call& c) { c.pool_metrics.inputs = 64; }, [](Call& c) { c.pool_metrics.normalise = 1; },
                             [](Call& c) { c.pool_metrics.truth = c.input[0]; }});
}

// 6 pairs in one strip: 6 fp32 sums are 24 bytes, 32 in multiples of 16, and twice 6 fp64 numbers: 128.
TEST(Arguments, Gram) {
  refuses(run_gram, {
                        {[](Call& c) { c.gram.elements = 0; }, "elements is 0"},
                        {[](Call& c) { c.gram.elements = too_many; }, "elements is 281474976710657"},
                        {[](Call& c) { c.gram.inputs = 0; }, "inputs is 0"},
                        {[](Call& c) { c.gram.inputs = TK_GRAM_INPUTS_MAX + 1; }, "inputs is 65"},
                        {[](Call& c) { c.gram.type = static_cast<tk_type>(3); }, "type is 3"},
                        {[](Call& c) { c.gram.input = nullptr; }, "input is a null pointer"},
                        {[](Call& c) { c.input[1].data = nullptr; }, "input[1] is a null pointer"},
                        {[](Call& c) { c.input[1].data = off_by(2, c.input[1].data); }, "input[1] is at"},
                        {[](Call& c) { c.gram.result = nullptr; }, "result is a null pointer"},
                        {[](Call& c) { c.gram.result = off_by(4, c.gram.result); }, "not a multiple of 8"},
                        {[](Call& c) { c.gram.result = reinterpret_cast<double*>(c.memory.input[0]); }, "overlap"},
                        {[](Call& c) { c.exec.workspace = nullptr; }, "0 bytes and 128 are needed", TK_WORKSPACE},
                        {[](Call& c) { c.exec.workspace_bytes = 127; }, "127 bytes and 128 are needed", TK_WORKSPACE},
                        {[](Call& c) { c.exec.workspace = c.memory.products; }, "overlap"},
                    });
  accepts(run_gram, {[](Call& c) { c.gram.inputs = 1; }, [](Call& c) { c.input[1] = c.input[0]; },
                     [](Call& c) {
                       c.gram.type = TK_INT8;
                       c.exec.workspace_bytes = 128;
                     }});
}

// One block's table of 64 fp32 numbers: 256 bytes.
TEST(Arguments, Sketch) {
  refuses(run_sketch, {
                          {[](Call& c) { c.sketch.elements = 0; }, "elements is 0"},
                          {[](Call& c) { c.sketch.elements = too_many; }, "elements is 281474976710657"},
                          {[](Call& c) { c.sketch.width = 0; }, "width is 0"},
                          {[](Call& c) { c.sketch.width = 96; }, "width is 96: expected a multiple of 64"},
                          {[](Call& c) { c.sketch.width = TK_SKETCH_WIDTH_MAX + 64; }, "width is 4160"},
                          {[](Call& c) { c.sketch.type = static_cast<tk_type>(3); }, "type is 3"},
                          {[](Call& c) { c.sketch.input.data = nullptr; }, "input is a null pointer"},
                          {[](Call& c) { c.sketch.input.data = off_by(2, c.sketch.input.data); }, "input is at"},
                          {[](Call& c) { c.sketch.result = nullptr; }, "result is a null pointer"},
                          {[](Call& c) { c.sketch.result = off_by(2, c.sketch.result); }, "result is at"},
                          {[](Call& c) { c.sketch.result = reinterpret_cast<float*>(c.memory.input[0]); }, "overlap"},
                          {[](Call& c) { c.exec.workspace = nullptr; }, "0 bytes and 256 are needed", TK_WORKSPACE},
                          {[](Call& c) { c.exec.workspace_bytes = 255; }, "255 bytes and 256 are needed", TK_WORKSPACE},
                          {[](Call& c) { c.exec.workspace = c.memory.input[0]; }, "overlap"},
                      });
  accepts(run_sketch, {[](Call& c) { c.exec.workspace_bytes = 256; }, [](Call& c) { c.sketch.type = TK_INT8; }});
}

// One strip's fp32 sum and two levels of one fp64 number, 16 bytes each, and 32 for the square and the factor: 80.
TEST(Arguments, Clip) {
  refuses(run_clip,
          {
              {[](Call& c) { c.clip.elements = 0; }, "elements is 0"},
              {[](Call& c) { c.clip.elements = too_many; }, "elements is 281474976710657"},
              {[](Call& c) { c.clip.type = TK_INT8; }, "type is 2"},
              {[](Call& c) { c.clip.limit = 0; }, "limit is 0"},
              {[](Call& c) { c.clip.limit = -1; }, "limit is -1"},
              {[](Call& c) { c.clip.limit = static_cast<double>(infinite); }, "limit is inf"},
              {[](Call& c) { c.clip.limit = static_cast<double>(not_a_number); }, "limit is"},
              {[](Call& c) { c.clip.data = nullptr; }, "data is a null pointer"},
              {[](Call& c) { c.clip.data = off_by(2, c.clip.data); }, "data is at"},
              {[](Call& c) { c.clip.norm = nullptr; }, "norm is a null pointer"},
              {[](Call& c) { c.clip.norm = off_by(4, c.clip.norm); }, "not a multiple of 8"},
              {[](Call& c) { c.clip.norm = reinterpret_cast<double*>(c.memory.output[0] + 1016); }, "overlap"},
              {[](Call& c) { c.exec.workspace = nullptr; }, "0 bytes and 80 are needed", TK_WORKSPACE},
              {[](Call& c) { c.exec.workspace_bytes = 79; }, "79 bytes and 80 are needed", TK_WORKSPACE},
              {[](Call& c) { c.exec.workspace = c.memory.output[0]; }, "overlap"},
          });
  accepts(run_clip, {[](Call& c) { c.exec.workspace_bytes = 80; }, [](Call& c) { c.clip.type = TK_BF16; },
                     [](Call& c) { c.clip.normalise = 1; }});
}

// A workspace is written, so it may not be an input either, even one of its own size: 1024 bytes of fp32 are what pool
// needs between the passes of 65 inputs, and what a sketch of width 256 needs.
TEST(Arguments, WorkspaceIsNoInput) {
  refuses(run_pool, {{[](Call& c) {
                        c.first = {0, 65, 66};
                        c.pool.first = c.first.data();
                        c.exec.workspace = c.memory.input[3];
                      },
                      "overlap"}});
  refuses(run_sketch, {{[](Call& c) {
                          c.sketch.width = 256;
                          c.sketch.result = reinterpret_cast<float*>(c.memory.output[0]);
                          c.exec.workspace = c.memory.input[0];
                        },
                        "overlap"}});
}

}  // namespace
}  // namespace toposim::kernels::refusals
