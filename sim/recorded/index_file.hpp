#pragma once
// The index of a recording, index.json in its folder:
//
//   {"schema_version": 1,
//    "workers": 64,
//    "batch": 32,                           samples of one worker's gradient; may be left out
//    "domain_size": 8,                      workers 0-7 are domain 0, ...; or "domains": [0, 0, 1, ...]; or neither
//    "steps": [
//      {"step": 100, "file": "step_100.safetensors"},             one file for all workers, or
//      {"step": 200, "files": ["s200_w0.npy", "s200_w1.npy"]}],   one for each worker, in order
//    "embeddings": "centroids.npy",         workers x d: mean embedding of each worker's data; may be left out
//    "groups": [{"name": "attention", "tensors": ["*.attn.*"]}, {"name": "rest", "tensors": ["*"]}]}
//
// Paths are relative to the index and stay in its folder (links may lead out of it).
//
//                    .npy               .safetensors
//   "file"           [workers, P]       tensors worker.<i> (P numbers, any shape) or worker.<i>/<tensor>
//   "files"          [P]                the model's tensors
//
// All steps and workers hold the same P numbers, or tensors of the same names and shapes, of any of the types F32, F16
// and BF16 (npy_file.hpp says how .npy holds that one).
//
// Groups are parts of the model that are also measured alone. Of named tensors: a tensor belongs to the first group
// that names it, where * stands for any text, and every tensor belongs to one. Of flat rows: {"name": ...,
// "parameters": n}, one after another, adding up to P. Without them, named tensors are grouped by their names
// (parameter_order.hpp).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::recorded {

struct GroupRule {
  std::string name;
  std::vector<std::string> tensors;  ///< names or patterns; empty: `parameters` counts
  std::uint64_t parameters = 0;
};

struct IndexStep {
  std::uint64_t step = 0;
  bool per_worker = false;         ///< a file for each worker, in order; else one file
  std::vector<std::string> files;  ///< relative to the folder, without . and //
};

struct RecordedIndex {
  std::string path, folder;
  std::uint64_t workers = 0;
  std::optional<std::uint64_t> batch;
  std::vector<std::uint32_t> domains;  ///< per worker, 0 .. domains - 1, none of them empty; or none at all
  std::vector<IndexStep> steps;        ///< by step
  std::string embeddings;              ///< or empty
  std::vector<GroupRule> groups;
};

/// `path` is for messages; its folder is that of the files. Throws RecordedError with all that is wrong.
RecordedIndex parse_index(std::string_view text, const std::string& path);

/// `path`: the index, or a folder with an index.json. Looks at no other file.
RecordedIndex read_index(const std::string& path);

}  // namespace toposim::recorded
