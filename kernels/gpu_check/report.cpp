#include "kernels/gpu_check/report.hpp"

#include <cstdio>

namespace toposim::kernels::gpu_check {
namespace {

template <class... Values>
std::string printed(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

double percent_of_copy(const Report& report, const Row& row) {
  return 100 * row.GBps() / report.copy_GBps;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += printed("\\u%04x", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + '"';
}

}  // namespace

std::string table_of(const Report& report) {
  std::string text;
  for (const auto& [name, value] : report.facts) text += printed("%-20s ", name.c_str()) + value + "\n";
  text += printed("%-20s %.1f GB/s, bytes read and written, the device's own copy\n\n", "copy", report.copy_GBps);
  text += "kernel        dtype          K    elements         ms     GB/s  % of copy  target\n";
  for (const Row& row : report.rows) {
    text += printed("%-12s  %-9s  %5zu  %10zu  ", row.kernel.c_str(), row.type.c_str(), row.inputs, row.elements);
    if (row.repeats == 0) {
      text += "not measured: out of time\n";
      continue;
    }
    const double percent = percent_of_copy(report, row);
    text += printed("%9.3f  %7.1f  %9.1f  ", row.ms, row.GBps(), percent);
    text += row.target_percent == 0 ? "-" : printed("%d", row.target_percent);
    if (row.target_percent > 0 && !report.rehearsed) text += percent >= row.target_percent ? " met" : " MISSED";
    text += "\n";
  }
  text += "\nK: inputs; of a sketch its width. elements: of each input. ms: median of repeats after a warm-up, by ";
  text += report.rehearsed ? "the\nhost's clock" : "CUDA\nevents";
  text += ". GB/s: what has to be read and written once, over that. target: % of copy, at least.\n";
  return text;
}

std::string json_of(const Report& report) {
  std::string text = "{\n";
  for (const auto& [name, value] : report.facts) text += "  " + quoted(name) + ": " + quoted(value) + ",\n";
  text += printed("  \"copy_GBps\": %.17g,\n  \"kernels\": [", report.copy_GBps);
  const char* separator = "\n";
  for (const Row& row : report.rows) {
    text += separator;
    separator = ",\n";
    text += "    {\"kernel\": " + quoted(row.kernel) + ", \"dtype\": " + quoted(row.type);
    text += printed(", \"K\": %zu, \"elements\": %zu, \"bytes\": %.17g, \"repeats\": %d", row.inputs, row.elements,
                    row.bytes, row.repeats);
    if (row.target_percent > 0) text += printed(", \"target_percent_of_copy\": %d", row.target_percent);
    if (row.repeats > 0)
      text += printed(", \"ms\": %.6g, \"ms_min\": %.6g, \"ms_max\": %.6g, \"GBps\": %.6g, \"percent_of_copy\": %.4g",
                      row.ms, row.ms_min, row.ms_max, row.GBps(), percent_of_copy(report, row));
    text += "}";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace toposim::kernels::gpu_check
