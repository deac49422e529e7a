#include "sim/recorded/index_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "sim/recorded/index_json.hpp"
#include "sim/recorded/limits.hpp"
#include "sim/recorded/source_file.hpp"

namespace toposim::recorded {
namespace {

using nlohmann::json;

void read_domains(const json& root, IndexReader& in, RecordedIndex& index) {
  const bool has_size = root.contains("domain_size"), has_list = root.contains("domains");
  if (has_size && has_list) in.problem("domains", "given beside domain_size; leave one of them out");
  if (has_size == has_list) return;
  if (has_size) {
    const std::uint64_t size = in.number(root, "domain_size", "index", workers_max);
    if (size == 0 || index.workers == 0) return;
    if (index.workers % size != 0) {
      in.problem("domain_size", fmt::format("{} workers are no multiple of {}; for domains of several sizes give "
                                            "domains: [domain of worker 0, ...]",
                                            index.workers, size));
      return;
    }
    for (std::uint64_t w = 0; w < index.workers; ++w) index.domains.push_back(static_cast<std::uint32_t>(w / size));
    return;
  }
  const json* list = in.array(root, "domains", "index");
  if (list == nullptr || index.workers == 0) return;
  if (list->size() != index.workers) {
    in.problem("domains", fmt::format("{} entries for {} workers; give one for each", list->size(), index.workers));
    return;
  }
  std::vector<bool> used(index.workers, false);
  std::uint64_t domains = 0;
  for (std::size_t w = 0; w < list->size() && !in.full(); ++w) {
    const json& value = (*list)[w];
    const std::uint64_t domain = value.is_number_unsigned() ? value.get<std::uint64_t>() : index.workers;
    if (domain >= index.workers) {
      in.problem(fmt::format("domains[{}]", w), fmt::format("not a whole number from 0 to {}", index.workers - 1));
      continue;
    }
    used[domain] = true;
    domains = std::max(domains, domain + 1);
    index.domains.push_back(static_cast<std::uint32_t>(domain));
  }
  for (std::uint64_t domain = 0; domain < domains && !in.full(); ++domain) {
    if (!used[domain]) in.problem("domains", fmt::format("domain {} has no worker; number them from 0", domain));
  }
}

void read_groups(const json& root, IndexReader& in, RecordedIndex& index) {
  if (!root.contains("groups")) return;
  const json* groups = in.array(root, "groups", "index");
  if (groups == nullptr) return;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < groups->size() && !in.full(); ++i) {
    const json& entry = (*groups)[i];
    const std::string where = fmt::format("groups[{}]", i);
    if (!in.object(entry, where, {"name", "tensors", "parameters"})) continue;
    GroupRule rule;
    rule.name = in.text(entry.value("name", json()), where + ".name");
    if (entry.contains("tensors") == entry.contains("parameters")) {
      in.problem(where, "give either tensors (names) or parameters (how many, of flat rows)");
    } else if (entry.contains("parameters")) {
      rule.parameters = in.number(entry, "parameters", where, parameters_max);
    } else if (const json* tensors = in.array(entry, "tensors", where)) {
      for (std::size_t t = 0; t < tensors->size(); ++t) {
        rule.tensors.push_back(in.text((*tensors)[t], fmt::format("{}.tensors[{}]", where, t)));
      }
    }
    if (!index.groups.empty() && index.groups.front().tensors.empty() != rule.tensors.empty()) {
      in.problem(where, "some groups have tensors and some parameters; give the same in all");
    }
    names.push_back(rule.name);
    index.groups.push_back(std::move(rule));
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end() && !twice->empty()) {
    in.problem("groups", fmt::format("two groups are named '{}'; rename one", shown(*twice)));
  }
}

bool read_step(const json& entry, const std::string& where, IndexReader& in, std::uint64_t workers, IndexStep& step) {
  if (!in.object(entry, where, {"step", "file", "files"})) return false;
  const json number = entry.value("step", json());
  if (!number.is_number_unsigned()) {
    in.problem(where + ".step", "not a whole number from 0");
    return false;
  }
  step.step = number.get<std::uint64_t>();
  if (entry.contains("file") == entry.contains("files")) {
    in.problem(where, "give either file (one for all workers) or files (one for each)");
    return false;
  }
  if (entry.contains("file")) {
    step.files.push_back(in.relative_path(entry["file"], where + ".file"));
    return true;
  }
  step.per_worker = true;
  const json* files = in.array(entry, "files", where);
  if (files == nullptr) return false;
  if (workers != 0 && files->size() != workers) {
    in.problem(where + ".files", fmt::format("{} files for {} workers; give one for each, or leave step {} out",
                                             files->size(), workers, step.step));
    return false;
  }
  for (std::size_t w = 0; w < files->size() && !in.full(); ++w) {
    step.files.push_back(in.relative_path((*files)[w], fmt::format("{}.files[{}]", where, w)));
  }
  return true;
}

void check_repeats(IndexReader& in, const RecordedIndex& index) {
  for (std::size_t i = 1; i < index.steps.size(); ++i) {
    const std::uint64_t step = index.steps[i].step;
    if (step == index.steps[i - 1].step) in.problem("steps", fmt::format("step {} appears twice; remove one", step));
  }
  std::vector<std::pair<std::string_view, std::uint64_t>> files;
  for (const IndexStep& step : index.steps) {
    for (const std::string& file : step.files) files.emplace_back(file, step.step);
  }
  std::ranges::sort(files);
  for (std::size_t i = 1; i < files.size() && !in.full(); ++i) {
    if (files[i].first.empty() || files[i].first != files[i - 1].first) continue;
    in.problem("steps",
               fmt::format("the file '{}' is named for step {} and again for step {}; each worker's gradient of "
                           "each step is recorded on its own",
                           shown(files[i].first), files[i - 1].second, files[i].second));
  }
}

}  // namespace

RecordedIndex parse_index(std::string_view text, const std::string& path) {
  const json root = parse_index_json(text, path);
  RecordedIndex index;
  index.path = path;
  index.folder = std::filesystem::path(path).parent_path().string();
  Problems problems;
  IndexReader in(index.path, problems);
  if (in.object(root, "index",
                {"schema_version", "workers", "batch", "domain_size", "domains", "steps", "embeddings", "groups"})) {
    if (root.value("schema_version", json()) != 1) {
      in.problem("schema_version", "not 1, the one that this version reads");
    }
    index.workers = in.number(root, "workers", "index", workers_max);
    if (root.contains("batch")) {
      index.batch = in.number(root, "batch", "index", std::numeric_limits<std::uint32_t>::max());
    }
    if (root.contains("embeddings")) index.embeddings = in.relative_path(root["embeddings"], "embeddings");
    read_domains(root, in, index);
    read_groups(root, in, index);
    if (const json* steps = in.array(root, "steps", "index")) {
      for (std::size_t i = 0; i < steps->size() && !in.full(); ++i) {
        IndexStep step;
        if (read_step((*steps)[i], fmt::format("steps[{}]", i), in, index.workers, step)) {
          index.steps.push_back(std::move(step));
        }
      }
    }
    std::ranges::stable_sort(index.steps, {}, &IndexStep::step);
    check_repeats(in, index);
  }
  problems.throw_any();
  return index;
}

RecordedIndex read_index(const std::string& path) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  const SourceFile file(folder ? (std::filesystem::path(path) / "index.json").string() : path);
  if (file.bytes() > index_bytes_max) {
    throw RecordedError(fmt::format(
        "{}: {} bytes; an index of at most {} is read: name one file for all workers of a step, or record fewer steps",
        file.path(), file.bytes(), index_bytes_max));
  }
  std::string text(file.bytes(), '\0');
  file.read(0, text.data(), text.size());
  return parse_index(text, file.path());
}

}  // namespace toposim::recorded
