#pragma once
// Which parameter is where in a row of numbers. Files hold tensors in any order; a row has them group by group, within
// a group in the order of name_before.
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/recorded/index_file.hpp"
#include "sim/recorded/problems.hpp"

namespace toposim::recorded {

/// A named part of the parameters, [begin, end). Groups follow one another and cover all parameters.
struct Group {
  std::string name;
  std::uint64_t begin = 0, end = 0;
};

struct Tensor {
  std::string name;  ///< empty: a flat row, the only tensor
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, count = 0;  ///< parameters
};

struct ParameterOrder {
  std::vector<Tensor> tensors;
  std::unordered_map<std::string, std::size_t> index_of;  ///< of the tensor with that name
  std::vector<Group> groups;
  std::uint64_t parameters = 0;
  std::string reference;  ///< the file that it was taken from

  bool flat() const { return tensors.size() == 1 && tensors.front().name.empty(); }
};

/// Groups without rules: one for flat rows; else tensors whose names begin with the same parts, as many parts as leave
/// at most this many groups.
inline constexpr std::size_t own_groups_max = 32;

/// `tensors`: names, shapes and counts, as found in the file `reference`. Throws RecordedError where there are too many
/// parameters, a tensor without any, or rules of the index that do not fit.
ParameterOrder order_parameters(std::vector<Tensor> tensors, const RecordedIndex& index, const std::string& reference);

}  // namespace toposim::recorded
