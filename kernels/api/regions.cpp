#include "kernels/api/regions.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "kernels/api/message.hpp"
#include "kernels/body/shape.hpp"

namespace toposim::kernels {
namespace {

std::string name_of(const Region& region) {
  if (region.position == no_position) return region.name;
  return std::string(region.name) + "[" + std::to_string(region.position) + "]";
}

}  // namespace

std::size_t bytes_of(tk_type type, std::size_t elements) {
  return elements * (type == TK_FP32 ? 4 : type == TK_BF16 ? 2 : 1);
}

void Regions::reads(const char* name, const tk_vector& vector, tk_type type, std::size_t elements,
                    std::size_t position) {
  regions_.push_back({name, position, vector.data, bytes_of(type, elements), false});
  if (type == TK_INT8)
    regions_.push_back({"scales of an input", position, vector.scales, 4 * rows_of(elements), false});
}
void Regions::reads(const char* name, const void* data, std::size_t bytes, std::size_t position) {
  regions_.push_back({name, position, data, bytes, false});
}
void Regions::writes(const char* name, const void* data, std::size_t bytes, std::size_t position) {
  regions_.push_back({name, position, data, bytes, true});
}
void Regions::writes_doubles(const char* name, const void* data, std::size_t count) {
  regions_.push_back({name, no_position, data, count * sizeof(double), true, alignof(double)});
}

tk_status Regions::check_apart(const void* workspace, std::size_t bytes) const {
  const auto start = reinterpret_cast<std::uintptr_t>(workspace);
  if (start + bytes < start)
    return fail(TK_BAD_ARGUMENT, "the workspace at %p goes beyond the last address", workspace);
  for (const Region& r : regions_) {
    const auto at = reinterpret_cast<std::uintptr_t>(r.data);
    if (at < start + bytes && start < at + r.bytes)
      return fail(TK_BAD_ARGUMENT, "the workspace and %s overlap", name_of(r).c_str());
  }
  return TK_OK;
}

tk_status Regions::check(bool in_place) const {
  for (const Region& r : regions_) {
    if (r.data == nullptr) return fail(TK_BAD_ARGUMENT, "%s is a null pointer", name_of(r).c_str());
    if (reinterpret_cast<std::uintptr_t>(r.data) % r.alignment != 0)
      return fail(TK_BAD_ARGUMENT, "%s is at %p, not a multiple of %zu bytes", name_of(r).c_str(), r.data, r.alignment);
    const auto start = reinterpret_cast<std::uintptr_t>(r.data);
    if (start + r.bytes < start)
      return fail(TK_BAD_ARGUMENT, "%s, %zu bytes at %p, goes beyond the last address", name_of(r).c_str(), r.bytes,
                  r.data);
  }
  // Sorted by address, only neighbours among the reaching ones can overlap.
  std::vector<const Region*> sorted;
  for (const Region& r : regions_) sorted.push_back(&r);
  std::sort(sorted.begin(), sorted.end(), [](const Region* a, const Region* b) { return a->data < b->data; });
  std::vector<const Region*> reaching;
  for (const Region* r : sorted) {
    const auto start = reinterpret_cast<std::uintptr_t>(r->data);
    std::erase_if(reaching,
                  [&](const Region* o) { return reinterpret_cast<std::uintptr_t>(o->data) + o->bytes <= start; });
    for (const Region* o : reaching) {
      if (!r->written && !o->written) continue;
      if (in_place && r->written != o->written && r->data == o->data && r->bytes == o->bytes) continue;
      return fail(TK_BAD_ARGUMENT, "%s and %s overlap, and one of them is written", name_of(*o).c_str(),
                  name_of(*r).c_str());
    }
    const bool repeated = !r->written && !reaching.empty() && !reaching.back()->written &&
                          r->data == reaching.back()->data && r->bytes == reaching.back()->bytes;
    if (r->bytes > 0 && !repeated) reaching.push_back(r);
  }
  return TK_OK;
}

}  // namespace toposim::kernels
