// What is read of an ibnetdiscover file, and what is refused, with its line.
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "topology/import/read_ibnetdiscover.hpp"

namespace {

using namespace toposim::topology;
using toposim::test::FabricText;
using toposim::test::problems_of;
using toposim::test::replaced;
using toposim::test::TempFile;

// As infiniband-diags prints it: a leaf with two adapters, one on a port with a number on its chassis.
const std::string pair_text =
    "#\n"                                                                                   // 1
    "# Topology file: generated on Mon Nov 30 00:25:28 2026\n"                              // 2
    "vendid=0x2c9\n"                                                                        // 3
    "switchguid=0x20000f(20000f)\n"                                                         // 4
    "Switch\t32 \"S-000000000020000f\"\t\t# \"leaf 1\" enhanced port 0 lid 24 lmc 0\n"      // 5
    "[1][ext 7]\t\"H-000000000010008e\"[1](10008f) \t\t# \"node8 mlx5_7\" lid 92 4xHDR\n"   // 6
    "[ 2]\t\"H-000000000010009e\"[2](1000a0) \t\t# \"node9 mlx5_7\" lid 100 2xEDR\n"        // 7
    "\n"                                                                                    // 8
    "caguid=0x10009e\n"                                                                     // 9
    "Ca\t2 \"H-000000000010009e\"\t\t# \"node9 mlx5_7\"\n"                                  // 10
    "[2](1000a0) \t\"S-000000000020000f\"[2]\t\t# lid 100 lmc 0 \"leaf 1\" lid 24 2xEDR\n"  // 11
    "Ca\t1 \"H-000000000010008e\"\t\t# \"node8 mlx5_7\"\n"                                  // 12
    "[1](10008f) \t\"S-000000000020000f\"[1]\t\t# lid 92 lmc 0 \"leaf 1\" lid 24 4xHDR\n";  // 13

std::string problems(const std::string& text) {
  const TempFile file(text);
  return problems_of(file.path(), [&] { read_ibnetdiscover(file.path()); });
}

TEST(Ibnetdiscover, DevicesAndCables) {
  const TempFile file(pair_text);
  const Wiring w = read_ibnetdiscover(file.path());
  ASSERT_EQ(w.devices.size(), 3u);
  EXPECT_EQ(w.devices[0].name, "leaf 1");
  EXPECT_EQ(w.devices[0].guid, 0x20000fu);
  EXPECT_EQ(w.devices[0].ports, 32u);
  EXPECT_EQ(w.devices[1].name, "node9 mlx5_7");
  EXPECT_EQ(w.devices[1].line, 10u);
  ASSERT_EQ(w.cables.size(), 2u);
  // 4xHDR: 4 x 50 Gb/s = 25e9 B/s; 2xEDR: 2 x 25 Gb/s.
  EXPECT_EQ(w.cables[0].bandwidth_Bps, 25e9);
  EXPECT_EQ(w.cables[1].bandwidth_Bps, 6.25e9);
  EXPECT_EQ(w.cables[0].b.device, 2u);
  EXPECT_EQ(w.cables[0].b.lid, 92u);
  EXPECT_EQ(w.cables[0].b.port_guid, 0x10008fu);
  EXPECT_EQ(w.cables[1].a.port, 2u);
  EXPECT_EQ(w.cables[1].b.port, 2u);
  EXPECT_EQ(w.cables[1].b.lid, 100u);
}

TEST(Ibnetdiscover, WindowsLineEndsAndNoLastOne) {
  std::string text = pair_text;
  text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  EXPECT_EQ(problems(text), "");
}

TEST(Ibnetdiscover, Gzip) {
  const TempFile file("");
  gzFile out = gzopen(file.path().c_str(), "wb");
  gzwrite(out, pair_text.data(), static_cast<unsigned>(pair_text.size()));
  gzclose(out);
  EXPECT_EQ(read_ibnetdiscover(file.path()).cables.size(), 2u);
  std::ifstream in(file.path(), std::ios::binary);
  const std::string packed((std::istreambuf_iterator<char>(in)), {});
  const std::string cut = problems(packed.substr(0, packed.size() / 2));
  EXPECT_NE(cut.find("the gzip data is cut short"), std::string::npos) << cut;
}

TEST(Ibnetdiscover, SpeedsThatAreNone) {
  EXPECT_EQ(problems(replaced(pair_text, "4xHDR", "4xGDR")),
            "FILE:6: '4xGDR' is not a width and speed of a link: 1x, 2x, 4x, 8x or 12x of SDR, DDR, QDR, FDR10, FDR, "
            "EDR, HDR, NDR or XDR, such as 4xNDR");
}

TEST(Ibnetdiscover, AllProblemsAtOnce) {
  const std::string found = problems(
      replaced(replaced(pair_text, "4xHDR", "3xHDR"), "Ca\t1 \"H-000000000010008e", "Ca\t1 \"H-000000000010009e"));
  EXPECT_NE(found.find("FILE:6: '3xHDR'"), std::string::npos) << found;
  EXPECT_NE(found.find("FILE:12: GUID 000000000010009e is that of the device in line 10 too; remove one of the two"),
            std::string::npos)
      << found;
}

TEST(Ibnetdiscover, CutShort) {
  // Lines 1 to 11: port 1 of the leaf leads to a device that would have come later.
  EXPECT_EQ(problems(pair_text.substr(0, pair_text.find("Ca\t1"))),
            "FILE:6: port 1 of 'leaf 1' leads to device 000000000010008e, which is not in the file; is it cut short?");
  EXPECT_EQ(problems(pair_text.substr(0, pair_text.rfind("[1](10008f)"))),
            "FILE:6: port 1 of 'leaf 1' leads to port 1 of 'node8 mlx5_7', which is not in the file (device in line "
            "12); is it cut short?");
  EXPECT_EQ(problems(pair_text.substr(0, pair_text.rfind(" 4xHDR"))),
            "FILE:13: '' is not a width and speed of a link: 1x, 2x, 4x, 8x or 12x of SDR, DDR, QDR, FDR10, FDR, EDR, "
            "HDR, NDR or XDR, such as 4xNDR");
}

TEST(Ibnetdiscover, OneCableInTwoPlaces) {
  const std::string found = problems(
      replaced(pair_text, "[2](1000a0) \t\"S-000000000020000f\"[2]", "[2](1000a0) \t\"S-000000000020000f\"[1]"));
  EXPECT_NE(
      found.find("FILE:7: port 2 of 'leaf 1' leads to port 2 of 'node9 mlx5_7', which leads elsewhere (line 11): one "
                 "cable in two places; take the file again"),
      std::string::npos)
      << found;
  EXPECT_EQ(problems(replaced(pair_text, "[ 2]", "[1]")),
            "FILE:7: port 1 of 'leaf 1' is in line 6 too; a port takes one cable");
}

TEST(Ibnetdiscover, EndsThatDisagree) {
  EXPECT_EQ(problems(replaced(pair_text, "2xEDR", "4xEDR")),
            "FILE:7: the cable from port 2 of 'leaf 1' to port 2 of 'node9 mlx5_7' has another speed at its other end "
            "(line 11); take the file again");
}

TEST(Ibnetdiscover, PortsThatADeviceDoesNotHave) {
  EXPECT_EQ(problems(replaced(pair_text, "[ 2]", "[33]")), "FILE:7: port 33 of 'leaf 1', which has 32 ports (line 5)");
}

TEST(Ibnetdiscover, Islands) {
  FabricText text;
  for (const char* name : {"a", "b"}) {
    const auto leaf = text.a_switch(std::string("leaf-") + name);
    for (int i = 0; i < (name[0] == 'a' ? 2 : 1); ++i)
      text.cable(leaf, text.adapter(fmt::format("node-{}{} mlx5_0", name, i)));
  }
  const std::string found = problems(text.text());
  EXPECT_NE(found.find("'leaf-b' and 1 more devices are joined to nothing else; import fabrics one by one"),
            std::string::npos)
      << found;
}

TEST(Ibnetdiscover, OtherFiles) {
  EXPECT_EQ(problems(""), "FILE: no switch and no adapter in it; give what ibnetdiscover prints");
  EXPECT_EQ(problems("name: quickstart\n"), "FILE:1: a line that ibnetdiscover does not print: 'name: quickstart'");
  EXPECT_EQ(problems_of("/", [] { read_ibnetdiscover("/"); }).substr(0, 40), "FILE: this is not a file; name one");
  EXPECT_EQ(problems_of("/nowhere", [] { read_ibnetdiscover("/nowhere"); }), "FILE: there is no such file");
}

TEST(Ibnetdiscover, TenMegabytesOfNoise) {
  std::mt19937_64 random(1);
  std::string noise(10 << 20, '\0');
  for (std::size_t i = 0; i < noise.size(); i += 8) {
    const std::uint64_t word = random();
    std::memcpy(noise.data() + i, &word, 8);
  }
  const std::string found = problems(noise);
  EXPECT_NE(found.find("FILE: and at least 980 more problems"), std::string::npos) << found;
  EXPECT_NE(problems(std::string(1 << 20, 'x')).find("is longer than 65536 bytes"), std::string::npos);
}

// Any change of any bytes is read or refused, never more: sanitizers watch.
TEST(Ibnetdiscover, Fuzz) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  int refused = 0;
  constexpr int rounds = 1500;
  for (int round = 0; round < rounds; ++round) {
    std::string text = pair_text;
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size()), length = std::min(text.size() - at, 1 + below(40));
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        default:
          text.insert(at, std::to_string(random()));
      }
      if (text.empty()) text = "x";
    }
    refused += problems(text).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, rounds / 2);
  EXPECT_LT(refused, rounds);  // comments and vendor lines may change
}

}  // namespace
