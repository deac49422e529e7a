#include "topology/import/port_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/import/connected.hpp"

namespace toposim::topology {

std::uint32_t PortLines::add(Wiring::Device device) {
  const auto [found, is_new] = by_guid_.try_emplace(device.guid, static_cast<std::uint32_t>(devices_.size()));
  if (!is_new) return devices_[found->second].line;
  devices_.push_back(std::move(device));
  return 0;
}

std::uint32_t PortLines::add(PortLine port) {
  port.device = static_cast<std::uint32_t>(devices_.size() - 1);
  const auto [found, is_new] =
      by_place_.try_emplace(key(port.device, port.port), static_cast<std::uint32_t>(ports_.size()));
  if (!is_new) return ports_[found->second].line;
  ports_.push_back(port);
  return 0;
}

std::string PortLines::end_name(std::uint32_t device, std::uint32_t port) const {
  return fmt::format("port {} of '{}'", port, devices_[device].name);
}

void PortLines::join(const PortLine& p, FileProblems& problems, std::vector<Wiring::Cable>& cables) const {
  const auto peer = by_guid_.find(p.peer_guid);
  if (peer == by_guid_.end())
    return problems.add(p.line, fmt::format("{} leads to device {:016x}, which is not in the file; is it cut short?",
                                            end_name(p.device, p.port), p.peer_guid));
  const std::uint32_t other = peer->second;
  const auto back = by_place_.find(key(other, p.peer_port));
  if (back == by_place_.end())
    return problems.add(p.line,
                        fmt::format("{} leads to {}, which is not in the file (device in line {}); is it cut "
                                    "short?",
                                    end_name(p.device, p.port), end_name(other, p.peer_port), devices_[other].line));
  const PortLine& q = ports_[back->second];
  if (q.peer_guid != devices_[p.device].guid || q.peer_port != p.port)
    return problems.add(p.line, fmt::format("{} leads to {}, which leads elsewhere (line {}): one cable in two places; "
                                            "take the file again",
                                            end_name(p.device, p.port), end_name(other, p.peer_port), q.line));
  if (q.bandwidth_Bps != p.bandwidth_Bps) {
    if (p.line < q.line)
      problems.add(p.line, fmt::format("the cable from {} to {} has another speed at its other end (line {}); take the "
                                       "file again",
                                       end_name(p.device, p.port), end_name(other, p.peer_port), q.line));
    return;
  }
  if (key(p.device, p.port) > key(other, p.peer_port)) return;  // joined from the other end
  if (p.device == other && p.port == p.peer_port)
    return problems.add(p.line, end_name(p.device, p.port) + " leads to itself; remove the line");
  const auto first_of = [](auto a, auto b) { return a != 0 ? a : b; };
  cables.push_back({{p.device, p.port, first_of(p.own_lid, q.peer_lid), first_of(p.own_guid, q.peer_port_guid)},
                    {other, p.peer_port, first_of(q.own_lid, p.peer_lid), first_of(q.own_guid, p.peer_port_guid)},
                    p.bandwidth_Bps,
                    p.line});
}

Wiring PortLines::wiring() && {
  FileProblems problems(file_);
  Wiring result;
  result.file = file_;
  for (const PortLine& port : ports_) join(port, problems, result.cables);
  problems.throw_if_any();
  std::sort(result.cables.begin(), result.cables.end(), [](const Wiring::Cable& x, const Wiring::Cable& y) {
    return key(x.a.device, x.a.port) < key(y.a.device, y.a.port);
  });
  result.devices = std::move(devices_);
  check_connected(result, problems);
  problems.throw_if_any();
  return result;
}

}  // namespace toposim::topology
