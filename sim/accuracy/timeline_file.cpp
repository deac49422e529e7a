#include "sim/accuracy/timeline_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "sim/accuracy/study_hooks.hpp"

namespace toposim::accuracy {
namespace {

constexpr std::string_view header = "scheme,time_s,event,cause,node,replica,step,replicas_active,spares_free";
constexpr std::size_t columns = 9, longest_line = 4096;
constexpr std::int64_t most = std::int64_t{1} << 40;

struct Row {
  std::string_view scheme;
  std::int64_t replica = -1, step = 0, active = 0;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    if (error) throw AccuracyError(fmt::format("{}: cannot be read: {}", path, error.message()));
    if (bytes > timeline_bytes_max)
      throw AccuracyError(
          fmt::format("{}: {} bytes, more than the {} that a timeline may have", path, bytes, timeline_bytes_max));
    in_.open(path, std::ios::binary);
    if (!in_) throw AccuracyError(fmt::format("{}: cannot be opened; check path and permissions", path));
    if (!next() || line_text_ != header)
      refuse("is no timeline.csv of a lifecycle study: its first line has to be " + std::string(header));
  }

  /// False at the end.
  bool next() {
    line_text_.resize(longest_line);
    if (!in_.getline(line_text_.data(), static_cast<std::streamsize>(longest_line))) {
      if (in_.eof()) return false;
      ++line_;
      refuse(fmt::format("is longer than {} bytes", longest_line));
    }
    ++line_;
    line_text_.resize(static_cast<std::size_t>(in_.gcount()) - (in_.eof() ? 0 : 1));  // less the newline
    return true;
  }

  Row row() const {
    std::string_view fields[columns];
    std::string_view rest = line_text_;
    for (std::size_t i = 0; i < columns; ++i) {
      const std::size_t comma = rest.find(',');
      if ((comma == rest.npos) != (i + 1 == columns))
        refuse(fmt::format("has not the {} fields of a timeline", columns));
      fields[i] = rest.substr(0, comma);
      rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    }
    Row made{fields[0], -1, number(fields[6], "step"), number(fields[7], "replicas_active")};
    if (!fields[5].empty()) made.replica = number(fields[5], "replica");
    return made;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw AccuracyError(fmt::format("{}:{}: {}", path_, std::max<std::int64_t>(line_, 1), what));
  }

 private:
  std::int64_t number(std::string_view text, const char* name) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > most)
      refuse(fmt::format("its {} has to be a whole number from 0 to 2^40", name));
    return value;
  }

  std::string path_, line_text_;
  std::ifstream in_;
  std::int64_t line_ = 0;
};

/// Follows one scheme's rows.
class Following {
 public:
  void take(const Row& row, const Reader& reader) {
    if (timeline_.replicas == 0) {
      if (row.active < 1 || row.active > 1 << 24) reader.refuse("a job has 1 to 16,777,216 replicas");
      timeline_.replicas = static_cast<std::uint32_t>(row.active);
    }
    if (row.active > timeline_.replicas) reader.refuse("more replicas are active than the job began with");
    if (row.step < timeline_.steps) go_back(row.step);
    timeline_.steps = row.step;
    const std::int64_t missing = timeline_.replicas - row.active;
    const auto is_lost = [&](std::int64_t replica) {
      return std::any_of(lost_.begin(), lost_.end(), [&](const auto& one) { return one.first == replica; });
    };
    if (row.replica >= 0 && static_cast<std::int64_t>(lost_.size()) < missing && !is_lost(row.replica)) {
      if (row.replica >= timeline_.replicas) reader.refuse("the job has no such replica");
      lost_.emplace_back(row.replica, row.step);
    }
    while (static_cast<std::int64_t>(lost_.size()) > missing) {
      timeline_.absences.push_back({static_cast<std::uint32_t>(lost_.front().first), lost_.front().second, row.step});
      lost_.pop_front();
    }
  }

  Timeline end() {
    for (const auto& [replica, from] : lost_)
      timeline_.absences.push_back({static_cast<std::uint32_t>(replica), from, timeline_.steps});
    std::stable_sort(timeline_.absences.begin(), timeline_.absences.end(),
                     [](const auto& a, const auto& b) { return a.from_step < b.from_step; });
    return std::move(timeline_);
  }

  bool loses_any() const { return !timeline_.absences.empty() || !lost_.empty(); }

 private:
  /// A rollback: what counts is who is there when the steps from this one on are done again.
  void go_back(std::int64_t step) {
    for (auto& [replica, from] : lost_) from = std::min(from, step);
    for (Timeline::Absence& absence : timeline_.absences) absence.to_step = std::min(absence.to_step, step);
    std::erase_if(timeline_.absences, [](const auto& absence) { return absence.from_step > absence.to_step; });
  }

  Timeline timeline_;
  std::deque<std::pair<std::int64_t, std::int64_t>> lost_;  // replica, since step
};

}  // namespace

Timeline read_timeline(const std::string& path, const std::string& scheme) {
  Reader reader(path);
  std::map<std::string, Following, std::less<>> schemes;
  while (reader.next()) {
    const Row row = reader.row();
    auto at = schemes.find(row.scheme);
    if (at == schemes.end()) at = schemes.emplace(std::string(row.scheme), Following{}).first;
    at->second.take(row, reader);
  }
  std::string names;
  std::optional<std::string> only;
  std::size_t losing = 0;
  for (const auto& [name, following] : schemes) {
    names += (names.empty() ? "" : ", ") + name;
    if (!following.loses_any()) continue;
    only = name;
    ++losing;
  }
  std::string chosen = scheme;
  if (scheme.empty()) {
    if (losing != 1)
      throw AccuracyError(fmt::format(
          "{}: {} of its schemes ({}) train on with replicas missing; say which with scheme", path, losing, names));
    chosen = *only;
  }
  const auto at = schemes.find(chosen);
  if (at == schemes.end()) throw AccuracyError(fmt::format("{}: has no scheme '{}'; it has {}", path, chosen, names));
  Timeline timeline = at->second.end();
  if (timeline.steps < 1) throw AccuracyError(fmt::format("{}: {} did no step", path, chosen));
  return timeline;
}

std::vector<emulator::Absence> worker_absences(const Timeline& timeline, std::uint32_t workers) {
  std::vector<emulator::Absence> absences;
  const auto steps = static_cast<double>(timeline.steps);
  for (const Timeline::Absence& absence : timeline.absences)
    for (std::uint32_t w = 0; w < workers; ++w)
      if (std::uint64_t{w} * timeline.replicas / workers == absence.replica)
        absences.push_back(
            {w, static_cast<double>(absence.from_step) / steps, static_cast<double>(absence.to_step) / steps});
  return absences;
}

}  // namespace toposim::accuracy
