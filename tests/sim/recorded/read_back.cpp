// read_back FOLDER: reads what record_gradients.py --self-test wrote there, and compares it with what that script says
// it wrote: 4 workers of 39 numbers, number j of worker w in step s being ((7 s + 31 w + j) mod 64 - 32) / 16.
#include <cstdio>
#include <string>
#include <vector>

#include "sim/recorded/recorded_gradients.hpp"

namespace {

using namespace toposim::recorded;

int wrong = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::printf("wrong: %s\n", what.c_str());
  ++wrong;
}

/// `order`: of the script's numbers in a row of the recording.
void compare(const RecordedGradients& gradients, const std::vector<std::uint64_t>& steps,
             const std::vector<std::size_t>& order) {
  expect(gradients.workers() == 4 && gradients.parameters() == 39, gradients.index_path() + ": its size");
  expect(gradients.steps() == steps, gradients.index_path() + ": its steps");
  if (wrong != 0) return;
  std::vector<float> row(39);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    for (std::size_t worker = 0; worker < 4; ++worker) {
      gradients.read(step, worker, row);
      for (std::size_t j = 0; j < row.size(); ++j) {
        const float written = (static_cast<float>((7 * steps[step] + 31 * worker + order[j]) % 64) - 32) / 16;
        expect(row[j] == written, gradients.index_path() + ": step " + std::to_string(steps[step]) + ", worker " +
                                      std::to_string(worker) + ", number " + std::to_string(j));
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::string folder = arguments[1];
  try {
    // Without groups emb.weight, the first 24, comes first; the group of the layers is named before it.
    std::vector<std::size_t> as_written, layers_first;
    for (std::size_t j = 0; j < 39; ++j) as_written.push_back(j);
    for (std::size_t j = 0; j < 39; ++j) layers_first.push_back((j + 24) % 39);

    const RecordedGradients named = RecordedGradients::open(folder + "/named");
    compare(named, {10, 30, 40}, layers_first);
    expect(named.batch() == 16u, "batch");
    expect(named.domains() == std::vector<std::uint32_t>{0, 0, 1, 1}, "domains");
    expect(named.groups().size() == 2 && named.groups()[0].name == "layers" && named.groups()[0].end == 15, "groups");
    expect(named.embeddings() != nullptr && named.embeddings()->dims() == 2, "embeddings");

    const RecordedGradients rows = RecordedGradients::open(folder + "/rows");
    compare(rows, {1, 2, 3, 4, 5}, as_written);
    expect(rows.groups().size() == 2 && rows.groups()[0].end == 30, "groups of rows");
  } catch (const RecordedError& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::printf("%d differences\n", wrong);
  return wrong == 0 ? 0 : 1;
}
