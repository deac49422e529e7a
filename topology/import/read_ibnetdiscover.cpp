// The format, as infiniband-diags 39 prints it. A device is one line, then one line for each of its ports in use:
//   Switch  32 "S-000000000020000f"    # "leaf-p01-r7" base port 0 lid 24 lmc 0
//   [9]     "S-0000000000200010"[31]   # "spine-00" lid 25 4xSDR
//   [1]     "H-000000000010008e"[1](10008f)   # "node0008 mlx5_7" lid 92 4xSDR
//   Ca      1 "H-00000000001000fe"     # "node0015 mlx5_7"
//   [1](1000ff)  "S-000000000020000f"[8]   # lid 148 lmc 0 "leaf-p01-r7" lid 24 4xSDR
#include "topology/import/read_ibnetdiscover.hpp"

#include <fmt/format.h>

#include "topology/import/fields.hpp"
#include "topology/import/import_error.hpp"
#include "topology/import/link_speed.hpp"
#include "topology/import/port_lines.hpp"
#include "topology/import/text_lines.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint64_t discover_bytes_max = std::uint64_t{1} << 30;
constexpr std::uint32_t ports_max = 254;  // a port number is a byte, and 255 is none

/// "S-000000000020000f"
bool take_device(Fields& f, std::uint64_t& guid) {
  return f.take("\"") && (f.take("S-") || f.take("H-") || f.take("R-")) && f.number(guid, 16) && f.take("\"");
}

/// [ext 3], the number that is printed on a chassis.
bool take_external_port(Fields& f) {
  std::string_view ignored;
  return !f.take("[ext") || f.until(']', ignored);
}

bool take_port(Fields& f, std::uint32_t& port) {
  if (!f.take("[")) return false;
  f.blanks();
  return f.number(port) && f.take("]");
}

class Reader {
 public:
  explicit Reader(const std::string& path) : problems_(path), ports_(path) {}

  Wiring read() {
    TextLines lines(problems_.file(), discover_bytes_max);
    std::string_view line;
    while (lines.next(line) && !problems_.many()) {
      line_ = lines.number();
      Fields f(line);
      f.blanks();
      if (f.rest().empty() || f.rest().front() == '#') continue;
      if (f.rest().front() == '[') {
        port(f, line);
      } else if (!is_setting(f.rest())) {
        device(f, line);
      }
    }
    if (problems_.none() && ports_.devices().empty())
      problems_.add(0, "no switch and no adapter in it; give what ibnetdiscover prints");
    problems_.throw_if_any();
    return std::move(ports_).wiring();
  }

 private:
  static bool is_setting(std::string_view line) {
    for (const std::string_view key : {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid="})
      if (line.starts_with(key)) return true;
    return false;
  }

  void device(Fields f, std::string_view line) {
    Wiring::Device d;
    d.line = line_;
    if (f.take("Switch"))
      d.kind = Wiring::Kind::a_switch;
    else if (f.take("Ca"))
      d.kind = Wiring::Kind::adapter;
    else if (f.take("Rt"))
      d.kind = Wiring::Kind::router;
    else
      return wrong(line, "a line that ibnetdiscover does not print");
    open_ = false;
    f.blanks();
    std::string_view name;
    if (!f.number(d.ports)) return wrong(line, "a device without its number of ports");
    f.blanks();
    if (!take_device(f, d.guid)) return wrong(line, "a device without a GUID such as \"S-000000000020000f\"");
    f.blanks();
    if (!f.take("#")) return wrong(line, "a device without its name in a comment");
    f.blanks();
    if (!f.take("\"") || !f.until('"', name)) return wrong(line, "a device without its name in a comment");
    if (d.ports == 0 || d.ports > ports_max)
      return problems_.add(line_, fmt::format("{} ports; a device has 1 to {}", d.ports, ports_max));
    d.name = shown(name);
    const std::uint32_t earlier = ports_.add(d);
    if (earlier > 0)
      return problems_.add(
          line_,
          fmt::format("GUID {:016x} is that of the device in line {} too; remove one of the two", d.guid, earlier));
    open_ = true;
  }

  void port(Fields f, std::string_view line) {
    PortLine p;
    p.line = line_;
    std::string_view comment;
    if (!take_port(f, p.port)) return wrong(line, "a port without its number");
    if (!take_external_port(f)) return wrong(line, "a port without its number");
    if (f.take("(") && !(f.number(p.own_guid, 16) && f.take(")"))) return wrong(line, "a port with a broken GUID");
    f.blanks();
    if (!take_device(f, p.peer_guid)) return wrong(line, "a port that does not say which device it leads to");
    if (!take_port(f, p.peer_port)) return wrong(line, "a port that does not say which port it leads to");
    if (f.take("(") && !(f.number(p.peer_port_guid, 16) && f.take(")")))
      return wrong(line, "a port with a broken GUID");
    if (!f.until('#', comment)) return wrong(line, "a port without its link's width and speed in a comment");
    f.blanks();
    if (f.take("lid ") && !f.number(p.own_lid)) return wrong(line, "a port with a broken LID");
    if (!read_peer(f, p)) return wrong(line, "a port without its peer's name and LID in a comment");
    f.blanks();
    const std::string_view speed = f.word();
    const auto bandwidth = link_bandwidth_Bps(speed);
    if (!bandwidth)
      return problems_.add(
          line_, fmt::format("'{}' is not a width and speed of a link: {}", shown(speed), link_speed_words()));
    p.bandwidth_Bps = *bandwidth;
    if (!open_) {
      if (ports_.devices().empty()) problems_.add(line_, "a port before any device; is the file cut at its beginning?");
      return;  // of a device that has been complained of
    }
    const Wiring::Device& d = ports_.devices().back();
    if (p.port == 0 || p.port > d.ports)
      return problems_.add(
          line_, fmt::format("port {} of '{}', which has {} ports (line {})", p.port, d.name, d.ports, d.line));
    if (const std::uint32_t earlier = ports_.add(p); earlier > 0)
      problems_.add(line_,
                    fmt::format("port {} of '{}' is in line {} too; a port takes one cable", p.port, d.name, earlier));
  }

  /// lmc 0 "leaf-p01-r7" lid 24
  static bool read_peer(Fields& f, PortLine& p) {
    std::string_view ignored, name;
    return f.until('"', ignored) && f.until('"', name) && f.take(" lid ") && f.number(p.peer_lid);
  }

  void wrong(std::string_view line, std::string_view what) {
    problems_.add(line_, fmt::format("{}: '{}'", what, shown(line)));
  }

  FileProblems problems_;
  PortLines ports_;
  std::uint32_t line_ = 0;
  bool open_ = false;  // whether ports may follow
};

}  // namespace

Wiring read_ibnetdiscover(const std::string& path) {
  return Reader(path).read();
}

}  // namespace toposim::topology
