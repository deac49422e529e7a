#include "sim/accuracy/data_placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "topology/error.hpp"
#include "topology/semantic/latent_semantics.hpp"
#include "topology/semantic/partition_report.hpp"
#include "topology/semantic/partitioner.hpp"
#include "topology/semantic/principal_components.hpp"

namespace toposim::accuracy {
namespace {

using topology::Embeddings;

/// Pixels as numbers from 0 to 1, then their principal components.
std::vector<float> image_embeddings(const workloads::Workload& workload, std::uint64_t& dims, unsigned threads) {
  const std::size_t rows = workload.sample_count(), width = workload.sample_byte_count();
  std::vector<float> pixels(rows * width);
  for (std::size_t s = 0; s < rows; ++s)
    std::transform(workload.sample_bytes(s).begin(), workload.sample_bytes(s).end(),
                   pixels.begin() + static_cast<std::ptrdiff_t>(s * width),
                   [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255.0F; });
  dims = std::min<std::uint64_t>(dims, width);
  return topology::principal_components(Embeddings::in_memory(pixels, rows, width), dims, threads).projected;
}

std::vector<float> text_embeddings(const workloads::Workload& workload, std::uint64_t dims, unsigned threads) {
  std::vector<std::string_view> texts;
  for (std::size_t s = 0; s < workload.sample_count(); ++s) {
    const auto bytes = workload.sample_bytes(s);
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  topology::LatentOptions options;
  options.dims = dims;
  options.threads = threads;
  return topology::latent_semantics(texts, {}, options).embeddings;
}

std::vector<std::uint32_t> labels_of(const workloads::Workload& workload) {
  std::vector<std::uint32_t> labels(workload.sample_count());
  for (std::size_t s = 0; s < labels.size(); ++s) labels[s] = workload.sample_label(s);
  return labels;
}

/// Samples in the order of their labels, in a piece for each worker: those of a domain are its samples.
void place_by_label(const std::vector<std::uint32_t>& labels, emulator::Sharing sharing, DataPlacement& made) {
  std::vector<std::uint32_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return labels[a] < labels[b]; });
  made.sample_domain.resize(labels.size());
  std::vector<std::uint32_t> sample_worker(labels.size());
  const std::size_t workers = made.worker_domain.size();
  for (std::size_t w = 0; w < workers; ++w)
    for (std::size_t i = labels.size() * w / workers; i < labels.size() * (w + 1) / workers; ++i) {
      made.sample_domain[order[i]] = made.worker_domain[w];
      sample_worker[order[i]] = static_cast<std::uint32_t>(w);
    }
  if (sharing == emulator::Sharing::subclustered) made.sample_worker = std::move(sample_worker);
}

double purity_of(const std::vector<std::uint32_t>& labels, const std::vector<std::uint32_t>& domain,
                 std::size_t domains) {
  const std::size_t kinds = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  std::vector<std::uint64_t> count(domains * kinds);
  for (std::size_t s = 0; s < labels.size(); ++s) ++count[domain[s] * kinds + labels[s]];
  std::uint64_t most = 0;
  for (std::size_t d = 0; d < domains; ++d)
    most += *std::max_element(count.begin() + static_cast<std::ptrdiff_t>(d * kinds),
                              count.begin() + static_cast<std::ptrdiff_t>((d + 1) * kinds));
  return static_cast<double>(most) / static_cast<double>(labels.size());
}

Embeddings embeddings_of(const workloads::Workload& workload, const PlacementSpec& spec, std::vector<float>& memory,
                         unsigned threads) {
  if (spec.source == EmbeddingSource::file) {
    Embeddings file = Embeddings::open_npy(spec.embeddings);
    if (file.rows() != workload.sample_count())
      throw topology::TopologyError(fmt::format("{} has {} rows; {} has {} training samples, and each needs one",
                                                spec.embeddings, file.rows(), workload.name(),
                                                workload.sample_count()));
    return file;
  }
  std::uint64_t dims = spec.dims;
  memory = workload.sample_kind() == workloads::SampleKind::image ? image_embeddings(workload, dims, threads)
                                                                  : text_embeddings(workload, dims, threads);
  return Embeddings::in_memory(memory, workload.sample_count(), dims);
}

/// A partition of each domain's samples among its workers.
std::vector<std::uint32_t> split_domains(const Embeddings& embeddings, const DataPlacement& placement,
                                         const topology::PartitionOptions& options) {
  std::vector<std::uint32_t> sample_worker(placement.sample_domain.size());
  for (std::uint32_t d = 0, first_worker = 0; d < placement.domains; ++d) {
    const auto workers =
        static_cast<std::uint64_t>(std::count(placement.worker_domain.begin(), placement.worker_domain.end(), d));
    std::vector<std::uint32_t> samples;
    for (std::uint32_t s = 0; s < sample_worker.size(); ++s)
      if (placement.sample_domain[s] == d) samples.push_back(s);
    std::vector<float> rows(samples.size() * embeddings.dims());
    for (std::size_t i = 0; i < samples.size(); ++i)
      embeddings.read(samples[i], 1, rows.data() + i * embeddings.dims());
    const topology::Partition split =
        topology::partition(Embeddings::in_memory(rows, samples.size(), embeddings.dims()), workers, options);
    for (std::size_t i = 0; i < samples.size(); ++i) sample_worker[samples[i]] = first_worker + split.domain[i];
    first_worker += static_cast<std::uint32_t>(workers);
  }
  return sample_worker;
}

void place_by_embedding(const workloads::Workload& workload, const AccuracySpec& spec,
                        const std::vector<std::uint32_t>& labels, const std::vector<double>& shares, unsigned threads,
                        DataPlacement& made) {
  std::vector<float> memory;
  const Embeddings embeddings = embeddings_of(workload, spec.placement, memory, threads);
  topology::PartitionOptions options;
  options.slack = spec.placement.slack;
  options.temperature = spec.placement.temperature;
  options.samples_max = spec.placement.samples_max;
  options.seed = spec.seed;
  options.threads = threads;
  topology::Partition partition = topology::partition(embeddings, shares, options);
  const topology::PartitionReport report = topology::report_partition(partition, labels);
  made.explained = report.explained;
  made.cosines = report.cosines;
  for (const topology::HotSpot& spot : report.hot_spots) made.advice.push_back(spot.advice);
  made.centroid_width = partition.dims;
  for (const std::uint32_t domain : made.worker_domain) {
    const float* centroid = partition.centroids.data() + domain * partition.dims;
    made.worker_centroids.insert(made.worker_centroids.end(), centroid, centroid + partition.dims);
  }
  made.sample_domain = std::move(partition.domain);
  if (spec.placement.sharing == emulator::Sharing::subclustered)
    made.sample_worker = split_domains(embeddings, made, options);
}

}  // namespace

std::vector<std::uint32_t> worker_domains(std::uint32_t workers, std::uint32_t domain_size) {
  std::vector<std::uint32_t> domain(workers);
  const std::uint32_t alone = workers % domain_size == 1 && workers > 1 ? workers - 1 : workers;
  for (std::uint32_t w = 0; w < workers; ++w) domain[w] = (w == alone ? w - 1 : w) / domain_size;
  return domain;
}

DataPlacement place_data(const workloads::Workload& workload, const AccuracySpec& spec, int threads) {
  DataPlacement made;
  made.worker_domain = worker_domains(spec.training.workers, spec.placement.domain_size);
  made.domains = made.worker_domain.back() + 1;
  std::vector<double> shares(made.domains, 0.0);
  for (const std::uint32_t domain : made.worker_domain) ++shares[domain];
  const std::vector<std::uint32_t> labels = labels_of(workload);
  if (spec.placement.sharing == emulator::Sharing::iid) {  // no domain has data of its own
    made.sample_domain.resize(labels.size());
    for (std::uint32_t s = 0; s < labels.size(); ++s) made.sample_domain[s] = s % made.domains;
  } else if (spec.placement.source == EmbeddingSource::labels)
    place_by_label(labels, spec.placement.sharing, made);
  else
    place_by_embedding(workload, spec, labels, shares, static_cast<unsigned>(std::max(threads, 1)), made);
  made.purity = purity_of(labels, made.sample_domain, made.domains);
  made.samples.resize(made.domains);
  for (const std::uint32_t domain : made.sample_domain) ++made.samples[domain];
  return made;
}

}  // namespace toposim::accuracy
