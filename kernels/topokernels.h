/* topokernels: the arithmetic that stands in for a lost gradient, on a CPU or a CUDA GPU, with the same bits on both.
 *
 * Everything is a function of its arguments. Every operation checks them all before it touches anything, returns a
 * status, and leaves a message for the calling thread in tk_message(). Safe to call from any thread.
 *
 * Shapes. A vector is `elements` numbers in a row, in fp32, bf16 or int8. An int8 vector comes in blocks of 128
 * neighbours, each with an fp32 scale (value = q x scale): (elements + 127) / 128 scales. Counts are in elements, sizes
 * of workspaces in bytes. Pointers to vectors are aligned to 4 bytes or more (multiples of 16 are faster on
 * a GPU), to fp64 results to 8, to a workspace to 16.
 * Arrays of pointers and of weights are read on the host, before the function returns.
 *
 * Rounding. Inputs become fp32 exactly (int8: q x scale, rounded once). Sums over inputs are a chain of fma in fp32, in
 * the order of the inputs. Sums over elements have one fixed shape (tk_shape_version): fp32 by fma inside strips of
 * 4096 elements, fp64 across. Outputs round to nearest, ties to even; every NaN in a bf16 output is 0x7fc0. Subnormals
 * are numbers. Squares are taken in fp32: magnitudes beyond 1e19 overflow, those below 1e-19 vanish from norms.
 *
 * Determinism. The same inputs give the same bits for any instruction set, number of threads and grid size, on CPU and
 * GPU (shapes, not luck); only the payload and sign of NaNs in fp32 outputs may differ.
 *
 * Processes. After a fork the child's calls use one thread, since OpenMP's others stay behind. Once loaded, the library
 * stays: dlclose() does not unload it.
 *
 * CUDA. Kernels go to the caller's stream; nothing is allocated, nothing waits. Vectors, outputs and workspace are then
 * device (or managed) memory, and results are there once the stream has got that far.
 */
#ifndef TOPOKERNELS_H
#define TOPOKERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TK_API __attribute__((visibility("default")))

typedef enum tk_status {
  TK_OK = 0,
  TK_BAD_ARGUMENT = 1, /* null or misaligned pointer, count out of range, NaN or infinite weight, ... */
  TK_ZERO_WEIGHTS = 2, /* weights to be normalised add up to zero */
  TK_WORKSPACE = 3,    /* workspace missing or too small; tk_message() says how much is needed */
  TK_WRONG_MEMORY = 4, /* host memory given to CUDA, or device memory to the CPU */
  TK_NO_DEVICE = 5,    /* backend TK_CUDA, and no device or no CUDA in this build */
  TK_NO_ISA = 6,       /* an instruction set that this CPU lacks */
  TK_CUDA_ERROR = 7    /* a launch failed; tk_message() has CUDA's words */
} tk_status;

/* Auto: CUDA if there is a device and the pointers are device memory, else the CPU. The others never fall back. */
typedef enum tk_backend { TK_AUTO = 0, TK_CPU = 1, TK_CUDA = 2 } tk_backend;
typedef enum tk_isa { TK_ISA_BEST = 0, TK_ISA_BASELINE = 1, TK_ISA_AVX2 = 2, TK_ISA_AVX512 = 3 } tk_isa;
typedef enum tk_type { TK_FP32 = 0, TK_BF16 = 1, TK_INT8 = 2 } tk_type;

/* Where and how. All zero: automatic, all cores, no workspace. */
typedef struct tk_exec {
  tk_backend backend;
  tk_isa isa;   /* CPU */
  int threads;  /* CPU; 0: all cores (OpenMP's default); at most four per core are used */
  void* stream; /* CUDA: a cudaStream_t; null: the default stream */
  void* workspace;
  size_t workspace_bytes;
} tk_exec;

typedef struct tk_vector {
  const void* data;
  const float* scales; /* int8 only */
} tk_vector;

#define TK_INPUTS_MAX 4096
#define TK_GRAM_INPUTS_MAX 64
#define TK_SKETCH_WIDTH_MIN 64
#define TK_SKETCH_WIDTH_MAX 4096

/* pool: output[s][j] = sum over i in [first[s], first[s + 1]) of a_i input[i][j]: one estimate per segment (a domain
 * that lost a worker), each of `elements` numbers. The chain starts from +0 (-0 becomes +0). A segment's result does
 * not depend on the others. An output may be one of its own segment's inputs, if types are the same; else outputs
 * overlap nothing. */
typedef struct tk_pool_args {
  size_t elements;
  tk_type input_type;
  tk_type output_type; /* fp32 or bf16 */
  size_t segments;     /* 1 or more */
  const size_t* first; /* segments + 1 numbers, from 0 to the number of inputs, each segment with at least one */
  const tk_vector* input;
  const float* weights; /* one per input */
  int normalise;        /* not 0: a_i = w_i / (sum of the segment's w), in fp64, rounded to fp32 */
  void* const* output;  /* one per segment */
} tk_pool_args;
TK_API tk_status tk_pool_workspace(const tk_pool_args* args, size_t* bytes);
TK_API tk_status tk_pool(const tk_exec* exec, const tk_pool_args* args);

/* scale: data[j] *= factor, in place; fp32 or bf16. (An int8 vector is scaled by scaling its scales, as fp32.) */
typedef struct tk_scale_args {
  size_t elements;
  tk_type type;
  void* data;
  float factor;
} tk_scale_args;
TK_API tk_status tk_scale(const tk_exec* exec, const tk_scale_args* args);

/* correct: output = beta local + (1 - beta) global, as fma(beta, local, (1 - beta) x global). The output may be one of
 * the two, if types are the same. */
typedef struct tk_correct_args {
  size_t elements;
  tk_type input_type;
  tk_type output_type; /* fp32 or bf16 */
  tk_vector local;
  tk_vector global;
  float beta; /* 0 to 1 */
  void* output;
} tk_correct_args;
TK_API tk_status tk_correct(const tk_exec* exec, const tk_correct_args* args);

/* Sums over elements, fp64. Host code derives what it wants: */
typedef struct tk_metrics_sums {
  double dot;             /* estimate . truth */
  double estimate_square; /* |estimate|^2 */
  double truth_square;
  double error_square; /* |estimate - truth|^2 */
} tk_metrics_sums;
typedef struct tk_metrics {
  double cosine;      /* 0 where a norm is zero */
  double angle_deg;   /* 0 to 180 */
  double relative_l2; /* |estimate - truth| / |truth|; infinite where the truth is zero and the estimate is not */
} tk_metrics;
/* NaNs for a null pointer. The same bits everywhere; the angle within 1e-13 degrees. */
TK_API tk_metrics tk_derive_metrics(const tk_metrics_sums* sums);

/* metrics: of an estimate against a truth, in one pass. */
typedef struct tk_metrics_args {
  size_t elements;
  tk_type type;
  tk_vector estimate;
  tk_vector truth;
  tk_metrics_sums* result;
} tk_metrics_args;
TK_API tk_status tk_compare_workspace(const tk_metrics_args* args, size_t* bytes);
TK_API tk_status tk_compare(const tk_exec* exec, const tk_metrics_args* args);

/* pool_metrics: the estimate that pool would make of up to 64 inputs (fp32 output), against a truth, never stored. */
typedef struct tk_pool_metrics_args {
  size_t elements;
  tk_type type;
  size_t inputs;
  const tk_vector* input;
  const float* weights;
  int normalise;
  tk_vector truth;
  tk_metrics_sums* result;
} tk_pool_metrics_args;
TK_API tk_status tk_pool_metrics_workspace(const tk_pool_metrics_args* args, size_t* bytes);
TK_API tk_status tk_pool_metrics(const tk_exec* exec, const tk_pool_metrics_args* args);

/* gram: dot products of all pairs of up to 64 vectors: result[i (i + 1) / 2 + j] = input[i] . input[j], j <= i. */
typedef struct tk_gram_args {
  size_t elements;
  tk_type type;
  size_t inputs;
  const tk_vector* input;
  double* result; /* inputs (inputs + 1) / 2 */
} tk_gram_args;
TK_API tk_status tk_gram_workspace(const tk_gram_args* args, size_t* bytes);
TK_API tk_status tk_gram(const tk_exec* exec, const tk_gram_args* args);

/* sketch: count-sketch of a vector. Dot products of two sketches with the same width and seed estimate those of the
 * vectors: the cosine's rms error is at most 1.1 / sqrt(width). */
typedef struct tk_sketch_args {
  size_t elements;
  tk_type type;
  tk_vector input;
  size_t width; /* a multiple of 64, 64 to 4096 */
  uint64_t seed;
  float* result; /* width */
} tk_sketch_args;
TK_API tk_status tk_sketch_workspace(const tk_sketch_args* args, size_t* bytes);
TK_API tk_status tk_sketch(const tk_exec* exec, const tk_sketch_args* args);

/* clip: data *= min(1, limit / |data|), or with normalise data *= limit / |data| (nothing if |data| is 0). In place;
 * fp32 or bf16. A norm that is not finite leaves zeros and NaNs: look at it. */
typedef struct tk_clip_args {
  size_t elements;
  tk_type type;
  void* data;
  double limit; /* above 0 */
  int normalise;
  double* norm; /* result: |data| before */
} tk_clip_args;
TK_API tk_status tk_clip_workspace(const tk_clip_args* args, size_t* bytes);
TK_API tk_status tk_clip(const tk_exec* exec, const tk_clip_args* args);

/* quantise: fp32 or bf16 to int8 in blocks of 128: scale = max |x| / 127, q = round(x / scale), -127 to 127. A block
 * with an infinity or a NaN gets scale NaN, so that it reads back as NaN. dequantise: back to fp32 or bf16. */
typedef struct tk_quantise_args {
  size_t elements;
  tk_type input_type;
  const void* input;
  int8_t* output;
  float* scales; /* (elements + 127) / 128 */
} tk_quantise_args;
TK_API tk_status tk_quantise(const tk_exec* exec, const tk_quantise_args* args);
typedef struct tk_dequantise_args {
  size_t elements;
  tk_vector input;
  tk_type output_type;
  void* output;
} tk_dequantise_args;
TK_API tk_status tk_dequantise(const tk_exec* exec, const tk_dequantise_args* args);

/* What went wrong in the calling thread's last call; empty after one that returned TK_OK. Good until that thread's
 * next call. */
TK_API const char* tk_message(void);
TK_API const char* tk_status_name(tk_status status);
TK_API int tk_shape_version(void);
TK_API int tk_cpu_has(tk_isa isa);     /* 1: this CPU can run it */
TK_API int tk_cuda_device_count(void); /* 0 without a device or without CUDA in this build */

#ifdef __cplusplus
}
#endif
#endif
