// topokernels_check: what gpu_check.sh runs on a GPU. Exit status: 0, 1 for a failure told in one line, 2 for a wrong
// call.
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>

#include "kernels/gpu_check/device.hpp"
#include "kernels/gpu_check/hashes.hpp"
#include "kernels/gpu_check/host.hpp"
#include "kernels/gpu_check/timings.hpp"

namespace {

using namespace toposim::kernels::gpu_check;

constexpr const char* usage =
    "topokernels_check [--rehearse] COMMAND\n"
    "  device                        what the GPU is, one fact a line\n"
    "  hashes GOLDEN_FILE [listed]   every case's hash on the GPU, or only of those that the file lists\n"
    "  overrun                       writes one element behind a buffer, for memcheck to find\n"
    "  timings SECONDS OUT [NAME=VALUE ...]\n"
    "                                every kernel's time, to OUT.json and OUT.txt with the facts named\n"
    "--rehearse: on the CPU and in its memory instead of a GPU.\n";

using Facts = std::map<std::string, std::string>;

Facts facts(bool rehearse) {
  if (rehearse) return {{"card", "none: rehearsed on the CPU"}};
  const DeviceFacts f = device_facts();
  const auto in_MiB = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  return {{"card", f.name},
          {"compute capability", f.compute_capability},
          {"multiprocessors", std::to_string(f.multiprocessors)},
          {"memory", in_MiB(f.memory_bytes) + ", free " + in_MiB(f.free_bytes)},
          {"L2", in_MiB(f.l2_bytes)},
          {"CUDA", "driver " + f.driver + ", runtime " + f.runtime}};
}

tk_exec where(bool rehearse) {
  return {rehearse ? TK_CPU : TK_CUDA, TK_ISA_BEST, 1, nullptr, nullptr, 0};
}

int hashes(bool rehearse, const std::string& golden, bool listed) {
  if (rehearse) return check_hashes<HostMemory>(golden, listed, where(true), nullptr) == 0 ? 0 : 1;
  device_facts();
  return check_hashes<DeviceMemory>(golden, listed, where(false), make_stream()) == 0 ? 0 : 1;
}

// A buffer of 129 fp32 numbers, given as one of 130.
int overrun() {
  device_facts();
  DeviceMemory memory;
  const tk_scale_args args{130, TK_FP32, memory.allocate(4 * 129), 1.0f};
  const tk_exec exec = where(false);
  if (tk_scale(&exec, &args) != TK_OK) throw std::runtime_error(tk_message());
  memory.wait();
  return 0;
}

/// All inputs of a kernel together: about 1e9 elements, less where the memory is smaller (10 bytes each are needed).
std::size_t elements_for(const DeviceFacts& f) {
  const std::size_t elements = std::min<std::size_t>(std::size_t{1} << 30, f.free_bytes / 10 * 8 / 10);
  // int8 vectors are the smallest. Four times the L2, or the measurement says nothing of memory.
  if (elements < 4 * f.l2_bytes) throw std::runtime_error("too little free memory for data of four times the L2");
  return elements;
}

int timings(bool rehearse, double seconds, const std::string& out, const Facts& also) {
  Report report;
  report.rehearsed = rehearse;
  report.facts = facts(rehearse);
  report.facts.insert(also.begin(), also.end());
  if (rehearse) {
    Timings<HostMemory, HostClock>(where(true), std::size_t{1} << 20, seconds, {3, 1, 0.02, 0.1}).run(report);
  } else {
    const std::size_t elements = elements_for(device_facts());
    Timings<DeviceMemory, DeviceClock>(where(false), elements, seconds, {}).run(report);
  }
  const std::string table = table_of(report);
  std::ofstream(out + ".txt") << table;
  std::ofstream json(out + ".json");
  json << json_of(report);
  if (!json.flush()) throw std::runtime_error("cannot write " + out + ".json");
  std::cout << table;
  return 0;
}

int run(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool rehearse = !words.empty() && words[0] == "--rehearse";
  if (rehearse) words.erase(words.begin());
  const std::string command = words.empty() ? "" : words[0];
  if (command == "device" && words.size() == 1) {
    for (const auto& [name, value] : facts(rehearse)) std::cout << name << ": " << value << "\n";
    return 0;
  }
  if (command == "hashes" && (words.size() == 2 || (words.size() == 3 && words[2] == "listed")))
    return hashes(rehearse, words[1], words.size() == 3);
  if (command == "overrun" && words.size() == 1 && !rehearse) return overrun();
  if (command == "timings" && words.size() >= 3) {
    Facts also;
    for (std::size_t i = 3; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      if (equals == std::string::npos) break;
      also[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    }
    const double seconds = std::atof(words[1].c_str());
    if (also.size() == words.size() - 3 && seconds > 0) return timings(rehearse, seconds, words[2], also);
  }
  std::cerr << usage;
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
