// Of each switch a heading, a row for each LID, and how many rows there were:
//   Unicast lids [0x0-0x94] of switch DR path slid 0; dlid 0; 0,1,9,31 guid 0x000000000020000f (leaf-p01-r7):
//     Lid  Out   Destination
//          Port     Info
//   0x0001 009 : (Channel Adapter portguid 0x0000000000100001: 'node0000 mlx5_0')
//   148 valid lids dumped
// A large fabric has millions of rows, so a row costs no allocation and no search.
#include "topology/import/read_lfts.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "topology/import/fields.hpp"
#include "topology/import/import_error.hpp"
#include "topology/import/text_lines.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint64_t lfts_bytes_max = std::uint64_t{8} << 30;
constexpr std::uint32_t lids_max = 0xc000;  // unicast LIDs end there

class LftReader {
 public:
  LftReader(const std::string& path, const Wiring& wiring) : wiring_(wiring), problems_(path) {
    result_.file = path;
    result_.tables.resize(wiring.devices.size());
    for (std::uint32_t d = 0; d < wiring.devices.size(); ++d)
      if (wiring.devices[d].kind == Wiring::Kind::a_switch) switches_.emplace(wiring.devices[d].guid, d);
    for (const Wiring::Cable& cable : wiring.cables) {
      for (const Wiring::End& end : {cable.a, cable.b}) {
        if (end.lid == 0 || end.lid >= lids_max || end.port_guid == 0) continue;
        lid_owner_.resize(std::max<std::size_t>(lid_owner_.size(), end.lid + 1));
        lid_owner_[end.lid] = end.port_guid;
      }
    }
  }

  ForwardingTables read() {
    TextLines lines(problems_.file(), lfts_bytes_max);
    std::string_view line;
    while (lines.next(line) && !problems_.many()) {
      line_ = lines.number();
      if (line.starts_with("0x"))
        row(line);
      else
        other(line);
    }
    if (in_table_) cut_short();
    if (problems_.none() && headings_ == 0) problems_.add(0, "no forwarding table in it; give what dump_lfts prints");
    problems_.throw_if_any();
    return std::move(result_);
  }

 private:
  /// 0x0001 009 : (Channel Adapter portguid 0x0000000000100001: 'node0000 mlx5_0')
  void row(std::string_view line) {
    if (!in_table_) return wrong(line, "a row outside of a table");
    ++rows_;
    std::uint32_t lid = 0, port = 0;
    Fields f(line.substr(2));
    if (!f.number(lid, 16) || !f.take(" ") || !f.number(port) || !f.take(" : (")) return wrong(line, "a broken row");
    if (lid >= lids_max || port > ForwardingTables::no_port) return wrong(line, "a LID or port that cannot be");
    std::uint64_t guid = 0;
    if ((f.take("Channel Adapter portguid 0x") || f.take("Switch portguid 0x") || f.take("Router portguid 0x")) &&
        f.number(guid, 16) && lid < lid_owner_.size() && lid_owner_[lid] != 0 && lid_owner_[lid] != guid)
      problems_.add(line_, fmt::format("LID {} is port {:016x} here and {:016x} in {}; take both files again, at the "
                                       "same time",
                                       lid, guid, lid_owner_[lid], wiring_.file));
    if (ports_ == nullptr) return;
    if (lid >= ports_->size())
      ports_->resize(std::max<std::size_t>(lid + 1, lid_owner_.size()), ForwardingTables::no_port);
    (*ports_)[lid] = static_cast<std::uint8_t>(port);
  }

  void other(std::string_view line) {
    Fields f(line);
    f.blanks();
    const std::string_view text = f.rest();
    if (text.starts_with("Unicast lids")) return heading(text);
    if (text.empty() || text.starts_with("Lid  Out") || text.starts_with("Port     Info") ||
        text.starts_with("*** WARNING ***"))
      return;
    std::uint32_t count = 0;
    if (f.number(count) && f.take(" valid lids dumped")) {
      if (in_table_ && count != rows_)
        problems_.add(line_, fmt::format("{} rows announced and {} there; the table is not whole", count, rows_));
      in_table_ = false;
      return;
    }
    wrong(text,
          text.starts_with("Multicast") ? "multicast tables; leave out -M" : "a line that dump_lfts does not print");
  }

  void heading(std::string_view text) {
    if (in_table_) cut_short();
    in_table_ = true;
    rows_ = 0;
    ports_ = nullptr;
    ++headings_;
    const std::size_t at = text.find(" guid 0x");
    std::uint64_t guid = 0;
    Fields f(text.substr(at == std::string_view::npos ? text.size() : at + 8));
    if (!f.number(guid, 16)) return wrong(text, "a table without its switch's GUID");
    const auto found = switches_.find(guid);
    if (found == switches_.end())
      return problems_.add(line_, fmt::format("switch {:016x} is not in {}; take both files again, at the same time",
                                              guid, wiring_.file));
    ForwardingTables::Table& table = result_.tables[found->second];
    if (table.line > 0)
      return problems_.add(line_, fmt::format("'{}' has a table in line {} already; remove one of the two",
                                              wiring_.devices[found->second].name, table.line));
    table.line = line_;
    ports_ = &table.ports;
  }

  void cut_short() { problems_.add(line_, "a table ends without its count of LIDs; the file is cut short"); }

  void wrong(std::string_view line, std::string_view what) {
    problems_.add(line_, fmt::format("{}: '{}'", what, shown(line)));
  }

  const Wiring& wiring_;
  FileProblems problems_;
  ForwardingTables result_;
  std::unordered_map<std::uint64_t, std::uint32_t> switches_;  // looked up only
  std::vector<std::uint64_t> lid_owner_;                       // port GUID of an adapter's LID; 0: not known
  std::vector<std::uint8_t>* ports_ = nullptr;                 // of the table being read, where it is wanted
  bool in_table_ = false;
  std::uint32_t line_ = 0, rows_ = 0, headings_ = 0;
};

}  // namespace

ForwardingTables read_lfts(const std::string& path, const Wiring& wiring) {
  return LftReader(path, wiring).read();
}

}  // namespace toposim::topology
