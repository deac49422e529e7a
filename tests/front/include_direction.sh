#!/usr/bin/env bash
# Data flows one way: each folder includes only what the table below lists. Printed as file:line for each breach.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh' | grep -v '^tests/' | xargs grep -nE '^ *# *include' | awk -F: '
  BEGIN {
    ours["topology"] = "topology"
    ours["faults"] = "faults topology"
    ours["kernels"] = "kernels"
    ours["kernels/gpu_check"] = "kernels/gpu_check kernels tests"
    ours["analysis"] = "analysis"
    ours["sim/fabric"] = "sim/fabric topology"
    ours["sim/collectives"] = "sim/collectives sim/fabric topology"
    ours["sim/step"] = "sim/step sim/collectives sim/fabric topology kernels"
    ours["sim/lifecycle"] = "sim/lifecycle sim/step faults topology"
    ours["sim/schemes"] = "sim/schemes sim/lifecycle sim/step faults topology"
    ours["sim/exact"] = "sim/exact sim/schemes sim/lifecycle sim/step sim/collectives sim/fabric faults topology"
    ours["sim/emulator"] = "sim/emulator sim/trainer sim/workloads faults kernels topology"
    ours["sim/recorded"] = "sim/recorded topology"
    ours["sim/trainer"] = "sim/trainer kernels"
    ours["sim/accuracy"] = "sim/accuracy sim/recorded sim/emulator sim/trainer sim/workloads faults kernels topology analysis"
    ours["sim/scenario"] = "sim/scenario sim/accuracy sim/emulator sim/workloads sim/exact sim/schemes sim/lifecycle sim/step sim/collectives sim/fabric faults topology kernels analysis"
    ours["sim/workloads"] = "sim/workloads"
    ours["sim/app"] = "sim/app sim/accuracy sim/recorded sim/workloads sim/exact sim/scenario sim/schemes sim/lifecycle sim/step sim/collectives sim/fabric faults topology kernels analysis"
    # Libraries that one place alone may use.
    only["simgrid"] = "sim/fabric sim/exact"
    only["yaml-cpp"] = "sim/scenario"
    only["CLI"] = "sim/app"
    only["nlohmann"] = "analysis faults sim/recorded"
    only["Random123"] = "faults topology sim/workloads"
    only["Eigen"] = "topology kernels sim/workloads"
    only["pugixml.hpp"] = "topology"
    only["zlib.h"] = "faults topology sim/workloads"
    only["benchmark"] = only["gtest"] = "tests"
  }
  function folder(path,   parts) { if (path == "sim/main.cpp") return "sim/app"; if (path ~ /^kernels\/gpu_check\//) return "kernels/gpu_check"; split(path, parts, "/"); return parts[1] == "sim" ? parts[1] "/" parts[2] : parts[1] }
  function among(word, list) { return index(" " list " ", " " word " ") > 0 }
  {
    file = $1; from = folder(file); line = $0; sub(/^[^:]*:[^:]*:/, "", line)
    if (!match(line, /["<][^">]+[">]/)) next
    path = substr(line, RSTART + 1, RLENGTH - 2); quoted = substr(line, RSTART, 1) == "\""
    if (path ~ /\.\.\//) { print file ":" $2 ": relative include \"" path "\"; write it from the root"; bad = 1; next }
    split(path, parts, "/")
    if (quoted && parts[1] != "generated") {
      to = folder(path)
      if (!(from in ours)) { print file ":" $2 ": folder " from " is not in the table of include_direction.sh"; bad = 1 }
      else if (!among(to, ours[from])) { print file ":" $2 ": " from " must not include " to " (allowed: " ours[from] ")"; bad = 1 }
    } else if (parts[1] in only && !among(from, only[parts[1]])) {
      print file ":" $2 ": <" path "> belongs in " only[parts[1]] " only"; bad = 1
    }
  }
  END { exit bad }'
