#include "sim/app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace toposim::sim {

Progress::Progress(bool wanted) : on_(wanted && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(const std::string& line) {
  std::fputs(("\r\x1b[K" + line).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::stage(const std::string& words) {
  if (on_) show(words + " ...");
}

void Progress::count(const std::string& words, std::int64_t done, std::int64_t total) {
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  if (words != counted_) {
    counted_ = words;
    start_ = now;
    last_ = now - std::chrono::seconds(1);
  }
  using seconds = std::chrono::duration<double>;
  if (seconds(now - last_).count() < 0.2) return;
  last_ = now;
  const double spent = seconds(now - start_).count();
  if (done > 0 && spent > 0.5) {
    show(fmt::format("{} {}/{}, {:.0f} s left", words, done, total,
                     spent * static_cast<double>(total - done) / static_cast<double>(done)));
  } else {
    show(fmt::format("{} {}/{}", words, done, total));
  }
}

}  // namespace toposim::sim
