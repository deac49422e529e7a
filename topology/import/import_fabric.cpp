#include "topology/import/import_fabric.hpp"

#include <filesystem>
#include <map>

#include "topology/import/follow_tables.hpp"
#include "topology/import/graphml_file.hpp"
#include "topology/import/infer_fabric.hpp"
#include "topology/import/packed_file.hpp"
#include "topology/import/read_ibnetdiscover.hpp"
#include "topology/import/read_lfts.hpp"
#include "topology/import/take_out.hpp"

namespace toposim::topology {
namespace {

/// Counts rates; the most common, of equals the lower.
class CommonRate {
 public:
  void count(double rate) { ++rates_[rate]; }
  double rate(double otherwise) const {
    std::size_t most = 0;
    for (const auto& [rate, count] : rates_) {
      if (count <= most) continue;
      most = count;
      otherwise = rate;
    }
    return otherwise;
  }

 private:
  std::map<double, std::size_t> rates_;
};

/// Told by the first character that is no blank.
bool is_xml(const std::string& path) {
  PackedFile file(path, std::uint64_t{1} << 20);
  char beginning[512];
  const std::string_view text(beginning, file.read(beginning, sizeof beginning));
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && text[first] == '<';
}

}  // namespace

ImportedFabric import_fabric(const ImportSpec& spec) {
  Wiring wiring = is_xml(spec.file) ? read_graphml(spec.file) : read_ibnetdiscover(spec.file);
  take_out(wiring, spec.without);
  InferredFabric inferred = infer_fabric(wiring, spec);
  if (!spec.tables.empty()) follow_tables(read_lfts(spec.tables, wiring), wiring, inferred);
  // Results name the file, and must not depend on where it lies.
  inferred.fabric.file = std::filesystem::path(spec.file).filename().string();
  for (const std::string& name : spec.without) inferred.fabric.warnings.push_back("taken out: " + name);
  return std::move(inferred.fabric);
}

void use_fabric(std::shared_ptr<const ImportedFabric> fabric, ClusterSpec& cluster) {
  cluster.fabric = FabricKind::imported;
  cluster.nodes = static_cast<std::int64_t>(fabric->nodes.size());
  cluster.spares = 0;
  cluster.nics_per_node = cluster.gpus_per_node = static_cast<std::int64_t>(fabric->rails.size());
  CommonRate access, uplink, core;
  for (const auto& one : fabric->access) access.count(one.bandwidth_Bps);
  for (const auto& cable : fabric->cables) (fabric->is_core_cable(cable) ? core : uplink).count(cable.bandwidth_Bps);
  cluster.access.bandwidth_Bps = access.rate(cluster.access.bandwidth_Bps);
  cluster.uplink.bandwidth_Bps = uplink.rate(cluster.uplink.bandwidth_Bps);
  cluster.core_link.bandwidth_Bps = core.rate(cluster.core_link.bandwidth_Bps);
  cluster.import = std::move(fabric);
}

}  // namespace toposim::topology
