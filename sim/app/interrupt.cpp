#include "sim/app/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

#include "sim/app/app.hpp"

namespace toposim::sim {
namespace {

std::atomic<int> holds{0};
std::atomic<bool> pending{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "used in a signal handler");

[[noreturn]] void stop() {
  constexpr std::string_view words = "\ntoposim: interrupted; no results were written, earlier ones are as they were\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(exit_interrupted);
}

extern "C" void on_signal(int) {
  if (holds.load() > 0) {
    pending.store(true);
  } else {
    stop();
  }
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error of the write, told like a full disk
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // A signal that was ignored on entry (nohup, a background job) stays ignored.
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

InterruptHold::InterruptHold() {
  ++holds;
}

InterruptHold::~InterruptHold() {
  if (--holds == 0 && pending.load()) ::_exit(exit_interrupted);
}

}  // namespace toposim::sim
