#include "analysis/write_results.hpp"

#include "analysis/atomic_file.hpp"
#include "analysis/csv_writer.hpp"
#include "analysis/json_writer.hpp"

namespace toposim::analysis {

void write_results(const std::filesystem::path& directory, const Results& results) {
  write_files(directory, {{"replicas.csv", replicas_csv(results)},
                          {"timeline.csv", timeline_csv(results)},
                          {"results.json", results_json(results)}});
}

}  // namespace toposim::analysis
