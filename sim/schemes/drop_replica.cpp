// The survivors train on without the lost replicas (torchft, FT-HSDP); with redistribute_batch they take over the lost
// micro-batches (elastic data parallelism).
#include <memory>

#include "sim/schemes/make_scheme.hpp"
#include "sim/schemes/replica_scheme.hpp"

namespace toposim::sim {

namespace {

class DropReplica final : public ReplicaScheme {
 public:
  using ReplicaScheme::ReplicaScheme;
};

}  // namespace

std::unique_ptr<Scheme> make_drop_replica(const SchemeSpec& spec, const SchemeContext& context) {
  return std::make_unique<DropReplica>(spec, context);
}

}  // namespace toposim::sim
