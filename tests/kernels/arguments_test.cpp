// What every operation refuses, with which words, and that it touches nothing then.
#include <gtest/gtest.h>

#include "refusals.hpp"

namespace toposim::kernels::refusals {
namespace {

TEST(Arguments, ValidCallsAreMade) {
  for (const Named& operation : operations) {
    SCOPED_TRACE(operation.name);
    accepts(operation.run, {[](Call&) {}});
  }
}

// Where and how, the same for all.
TEST(Arguments, WhereAndHow) {
  for (const Named& operation : operations) {
    SCOPED_TRACE(operation.name);
    refuses(operation.run, {
                               {[](Call& c) { c.exec_at = nullptr; }, "exec is a null pointer"},
                               {[](Call& c) { c.exec.backend = static_cast<tk_backend>(3); }, "backend is 3"},
                               {[](Call& c) { c.exec.isa = static_cast<tk_isa>(4); }, "isa is 4"},
                               {[](Call& c) { c.exec.threads = -1; }, "threads is -1"},
                               {[](Call& c) { c.exec.threads = 4097; }, "threads is 4097"},
                           });
    accepts(operation.run, {[](Call& c) { c.exec.backend = TK_AUTO; }, [](Call& c) { c.exec.threads = 0; },
                            [](Call& c) { c.exec.threads = 2; }, [](Call& c) { c.exec.isa = TK_ISA_BASELINE; }});
    if (!tk_cpu_has(TK_ISA_AVX512))
      refuses(operation.run, {{[](Call& c) { c.exec.isa = TK_ISA_AVX512; }, "no AVX-512", TK_NO_ISA}});
    if (tk_cuda_device_count() == 0)
      refuses(operation.run, {{[](Call& c) { c.exec.backend = TK_CUDA; }, "CUDA", TK_NO_DEVICE}});
  }
}

TEST(Arguments, NullArguments) {
  const auto c = std::make_unique<Call>();
  std::size_t bytes = 77;
  for (const tk_status status : {tk_pool(&c->exec, nullptr),
                                 tk_scale(&c->exec, nullptr),
                                 tk_correct(&c->exec, nullptr),
                                 tk_compare(&c->exec, nullptr),
                                 tk_pool_metrics(&c->exec, nullptr),
                                 tk_gram(&c->exec, nullptr),
                                 tk_sketch(&c->exec, nullptr),
                                 tk_clip(&c->exec, nullptr),
                                 tk_quantise(&c->exec, nullptr),
                                 tk_dequantise(&c->exec, nullptr),
                                 tk_pool_workspace(nullptr, &bytes),
                                 tk_compare_workspace(nullptr, &bytes),
                                 tk_pool_metrics_workspace(nullptr, &bytes),
                                 tk_gram_workspace(nullptr, &bytes),
                                 tk_sketch_workspace(nullptr, &bytes),
                                 tk_clip_workspace(nullptr, &bytes),
                                 tk_pool_workspace(&c->pool, nullptr),
                                 tk_compare_workspace(&c->compare, nullptr),
                                 tk_pool_metrics_workspace(&c->pool_metrics, nullptr),
                                 tk_gram_workspace(&c->gram, nullptr),
                                 tk_sketch_workspace(&c->sketch, nullptr),
                                 tk_clip_workspace(&c->clip, nullptr)})
    EXPECT_EQ(status, TK_BAD_ARGUMENT);
  EXPECT_EQ(bytes, 77u);
  EXPECT_STREQ(tk_message(), "bytes is a null pointer");
}

TEST(Arguments, Pool) {
  refuses(run_pool,
          {
              {[](Call& c) { c.pool.elements = 0; }, "elements is 0"},
              {[](Call& c) { c.pool.elements = too_many; }, "elements is 281474976710657"},
              {[](Call& c) { c.pool.segments = 0; }, "segments is 0"},
              {[](Call& c) { c.pool.segments = TK_INPUTS_MAX + 1; }, "segments is 4097"},
              {[](Call& c) { c.pool.first = nullptr; }, "first is a null pointer"},
              {[](Call& c) { c.first[0] = 1; }, "first[0] is 1"},
              {[](Call& c) { c.first[1] = 0; }, "first[1] is 0"},
              {[](Call& c) { c.first[2] = 2; }, "first[2] is 2"},
              {[](Call& c) { c.first[2] = 1; }, "first[2] is 1"},
              {[](Call& c) { c.first[2] = TK_INPUTS_MAX + 1; }, "inputs is 4097"},
              {[](Call& c) { c.pool.input_type = static_cast<tk_type>(3); }, "input_type is 3"},
              {[](Call& c) { c.pool.output_type = TK_INT8; }, "output_type is 2"},
              {[](Call& c) { c.pool.input = nullptr; }, "input is a null pointer"},
              {[](Call& c) { c.input[1].data = nullptr; }, "input[1] is a null pointer"},
              {[](Call& c) { c.input[1].data = off_by(2, c.input[1].data); }, "input[1] is at"},
              {[](Call& c) {
                 c.pool.input_type = TK_INT8;
                 c.input[2].scales = nullptr;
               },
               "scales of an input[2] is a null"},
              {[](Call& c) {
                 c.pool.input_type = TK_INT8;
                 c.input[2].scales = off_by(2, c.input[2].scales);
               },
               "scales of an input[2] is at"},
              {[](Call& c) { c.pool.weights = nullptr; }, "weights is a null pointer"},
              {[](Call& c) { c.weights[2] = not_a_number; }, "weights[2] is"},
              {[](Call& c) { c.weights[0] = -infinite; }, "weights[0] is -inf"},
              {[](Call& c) { c.pool.output = nullptr; }, "output is a null pointer"},
              {[](Call& c) { c.outputs[1] = nullptr; }, "output[1] is a null pointer"},
              {[](Call& c) { c.outputs[1] = off_by(2, c.outputs[1]); }, "output[1] is at"},
              {[](Call& c) {
                 c.pool.normalise = 1;
                 c.weights[0] = -0.5f;
               },
               "weights 0 to 1 add up to zero", TK_ZERO_WEIGHTS},
              {[](Call& c) {
                 c.pool.normalise = 1;
                 c.weights[2] = 0;
               },
               "weights 2 to 2 add up to zero", TK_ZERO_WEIGHTS},
              // 1 - 1 + 2^-149 in fp64; 1 over that is beyond fp32.
              {[](Call& c) {
                 c.pool.normalise = 1;
                 c.first = {0, 3, 4};
                 c.weights[0] = 1;
                 c.weights[1] = -1;
                 c.weights[2] = 0x1p-149f;
               },
               "over the sum of weights"},
              {[](Call& c) { c.outputs[1] = c.outputs[0]; }, "overlap"},
              {[](Call& c) { c.outputs[1] = off_by(16, c.outputs[0]); }, "overlap"},
              {[](Call& c) { c.outputs[1] = off_by(16, c.memory.input[0]); }, "overlap"},
              {[](Call& c) {
                 c.pool.input_type = TK_INT8;
                 c.outputs[1] = c.memory.scales[0];
               },
               "overlap"},
              {[](Call& c) {
                 c.pool.output_type = TK_BF16;
                 c.outputs[0] = c.memory.input[0];
               },
               "overlap"},                                                                   // other types
              {[](Call& c) { c.outputs[0] = c.memory.input[2]; }, "output[0] is input[2]"},  // of the other segment
              {[](Call& c) {
                 c.input[2] = c.input[0];
                 c.outputs[0] = c.memory.input[0];
               },
               "output[0] is input[2]"},  // of both
          });
  accepts(run_pool, {
                        [](Call& c) { c.pool.normalise = 1; },
                        [](Call& c) {
                          c.weights = {0, 0, 0};
                        },  // zero weights are numbers, unless to be divided by
                        [](Call& c) { c.weights[0] = -0.5f; },
                        [](Call& c) { c.input[1] = c.input[0]; },  // inputs may repeat
                        [](Call& c) {
                          c.outputs[0] = c.memory.input[1];
                          c.outputs[1] = c.memory.input[2];
                        },  // in place
                        [](Call& c) {
                          c.pool.input_type = c.pool.output_type = TK_BF16;
                          c.outputs[0] = c.memory.input[1];
                        },
                        [](Call& c) { c.exec.workspace = nullptr; },  // up to 64 inputs need none
                        [](Call& c) {
                          c.first = {0, 1, 65};
                          c.pool.first = c.first.data();
                          c.exec.workspace = nullptr;
                        },
                    });
}

// 65 inputs take two passes with a sum between them: 256 fp32 numbers, 1024 bytes.
TEST(Arguments, PoolOfMoreThan64) {
  const auto more = [](Call& c) { c.first = {0, 65, 66}, c.pool.first = c.first.data(); };
  const auto call = std::make_unique<Call>();
  std::size_t bytes = 1;
  EXPECT_EQ(tk_pool_workspace(&call->pool, &bytes), TK_OK);
  EXPECT_EQ(bytes, 0u);
  more(*call);
  EXPECT_EQ(tk_pool_workspace(&call->pool, &bytes), TK_OK);
  EXPECT_EQ(bytes, 1024u);
  refuses(run_pool, {
                        {[&](Call& c) {
                           more(c);
                           c.exec.workspace = nullptr;
                         },
                         "0 bytes and 1024 are needed", TK_WORKSPACE},
                        {[&](Call& c) {
                           more(c);
                           c.exec.workspace_bytes = 1023;
                         },
                         "1023 bytes and 1024 are needed", TK_WORKSPACE},
                        {[&](Call& c) {
                           more(c);
                           c.outputs[0] = c.memory.input[1];
                         },
                         "of up to 64"},
                    });
  accepts(run_pool, {
                        [&](Call& c) {
                          more(c);
                          c.exec.workspace_bytes = 1024;
                        },
                        [&](Call& c) {
                          more(c);
                          c.outputs[1] = c.memory.input[65];
                        },  // in place in the short segment
                    });
}

TEST(Arguments, Scale) {
  refuses(run_scale, {
                         {[](Call& c) { c.scale.elements = 0; }, "elements is 0"},
                         {[](Call& c) { c.scale.elements = too_many; }, "elements is 281474976710657"},
                         {[](Call& c) { c.scale.type = TK_INT8; }, "type is 2"},
                         {[](Call& c) { c.scale.type = static_cast<tk_type>(-1); }, "type is -1"},
                         {[](Call& c) { c.scale.factor = infinite; }, "factor is inf"},
                         {[](Call& c) { c.scale.factor = not_a_number; }, "factor is"},
                         {[](Call& c) { c.scale.data = nullptr; }, "data is a null pointer"},
                         {[](Call& c) { c.scale.data = off_by(2, c.scale.data); }, "data is at"},
                     });
  accepts(run_scale, {[](Call& c) { c.scale.type = TK_BF16; }, [](Call& c) { c.scale.data = off_by(4, c.scale.data); },
                      [](Call& c) { c.scale.factor = 0; }, [](Call& c) { c.exec.workspace = nullptr; }});
}

TEST(Arguments, Correct) {
  refuses(run_correct, {
                           {[](Call& c) { c.correct.elements = 0; }, "elements is 0"},
                           {[](Call& c) { c.correct.elements = too_many; }, "elements is 281474976710657"},
                           {[](Call& c) { c.correct.input_type = static_cast<tk_type>(9); }, "input_type is 9"},
                           {[](Call& c) { c.correct.output_type = TK_INT8; }, "output_type is 2"},
                           {[](Call& c) { c.correct.beta = -0.25f; }, "beta is -0.25"},
                           {[](Call& c) { c.correct.beta = 1.25f; }, "beta is 1.25"},
                           {[](Call& c) { c.correct.beta = not_a_number; }, "beta is"},
                           {[](Call& c) { c.correct.local.data = nullptr; }, "local is a null pointer"},
                           {[](Call& c) { c.correct.global.data = off_by(1, c.correct.global.data); }, "global is at"},
                           {[](Call& c) { c.correct.output = nullptr; }, "output is a null pointer"},
                           {[](Call& c) { c.correct.output = off_by(2, c.correct.output); }, "output is at"},
                           {[](Call& c) { c.correct.output = off_by(4, c.memory.input[0]); }, "overlap"},
                           {[](Call& c) {
                              c.correct.output_type = TK_BF16;
                              c.correct.output = c.memory.input[0];
                            },
                            "overlap"},
                           {[](Call& c) {
                              c.correct.input_type = TK_INT8;
                              c.correct.output = c.memory.scales[1];
                            },
                            "overlap"},
                       });
  accepts(run_correct, {[](Call& c) { c.correct.beta = 0; }, [](Call& c) { c.correct.beta = 1; },
                        [](Call& c) { c.correct.global = c.correct.local; },
                        [](Call& c) {
                          c.correct.input_type = TK_INT8;
                          c.correct.output_type = TK_BF16;
                        }});
}

TEST(Arguments, Quantise) {
  refuses(run_quantise,
          {
              {[](Call& c) { c.quantise.elements = 0; }, "elements is 0"},
              {[](Call& c) { c.quantise.elements = too_many; }, "elements is 281474976710657"},
              {[](Call& c) { c.quantise.input_type = TK_INT8; }, "input_type is 2"},
              {[](Call& c) { c.quantise.input = nullptr; }, "input is a null pointer"},
              {[](Call& c) { c.quantise.input = off_by(2, c.quantise.input); }, "input is at"},
              {[](Call& c) { c.quantise.output = nullptr; }, "output is a null pointer"},
              {[](Call& c) { c.quantise.output = off_by(1, c.quantise.output); }, "output is at"},
              {[](Call& c) { c.quantise.scales = nullptr; }, "scales is a null pointer"},
              {[](Call& c) { c.quantise.scales = off_by(2, c.quantise.scales); }, "scales is at"},
              {[](Call& c) { c.quantise.output = reinterpret_cast<std::int8_t*>(c.memory.input[0]); }, "overlap"},
              {[](Call& c) { c.quantise.scales = reinterpret_cast<float*>(c.memory.output[0] + 252); }, "overlap"},
          });
  accepts(run_quantise, {[](Call& c) { c.quantise.input_type = TK_BF16; }, [](Call& c) { c.exec.workspace = nullptr; },
                         [](Call& c) { c.quantise.scales = reinterpret_cast<float*>(c.memory.output[0] + 256); }});
}

TEST(Arguments, Dequantise) {
  refuses(run_dequantise,
          {
              {[](Call& c) { c.dequantise.elements = 0; }, "elements is 0"},
              {[](Call& c) { c.dequantise.elements = too_many; }, "elements is 281474976710657"},
              {[](Call& c) { c.dequantise.output_type = TK_INT8; }, "output_type is 2"},
              {[](Call& c) { c.dequantise.input.data = nullptr; }, "input is a null pointer"},
              {[](Call& c) { c.dequantise.input.data = off_by(2, c.dequantise.input.data); }, "input is at"},
              {[](Call& c) { c.dequantise.input.scales = nullptr; }, "scales of an input is a null"},
              {[](Call& c) { c.dequantise.output = nullptr; }, "output is a null pointer"},
              {[](Call& c) { c.dequantise.output = off_by(2, c.dequantise.output); }, "output is at"},
              {[](Call& c) { c.dequantise.output = c.memory.input[0]; }, "overlap"},
              {[](Call& c) { c.dequantise.output = c.memory.scales[0]; }, "overlap"},
          });
  accepts(run_dequantise,
          {[](Call& c) { c.dequantise.output_type = TK_BF16; }, [](Call& c) { c.exec.workspace = nullptr; }});
}

}  // namespace
}  // namespace toposim::kernels::refusals
