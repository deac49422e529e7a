#include "topology/semantic/embeddings.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <bit>
#include <limits>

#include "npy_files.hpp"
#include "topology/error.hpp"
#include "topology/semantic/npy_header.hpp"

namespace toposim::topology {
namespace {

std::string refusal(const std::string& bytes) {
  const TemporaryFile file(bytes);
  try {
    const Embeddings embeddings = Embeddings::open_npy(file.path());
    std::vector<float> out(embeddings.rows() * embeddings.dims());
    embeddings.read(0, embeddings.rows(), out.data());
  } catch (const TopologyError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(file.path() + ": ")) << message;
    return message.substr(std::min(message.size(), file.path().size() + 2));
  }
  return "accepted";
}

const std::vector<float> six{1, 2, 3, 4, 5, 6};

TEST(Embeddings, InMemory) {
  const Embeddings e = Embeddings::in_memory(six, 3, 2);
  std::vector<float> out(4);
  e.read(1, 2, out.data());
  EXPECT_EQ(out, (std::vector<float>{3, 4, 5, 6}));
  EXPECT_EQ(e.stored_bytes(), 24u);
  EXPECT_THROW(e.read(2, 2, out.data()), TopologyError);
  EXPECT_THROW(Embeddings::in_memory(six, 3, 3), TopologyError);
  EXPECT_THROW(Embeddings::in_memory({}, 0, 2), TopologyError);
}

// Each version of the format, keys in any order, both kinds of quotes, Python 2's long.
TEST(Embeddings, ReadsNpy) {
  const std::string dictionaries[] = {npy_dictionary("<f4", 3, 2),
                                      R"({"shape": (3L, 2L), "descr": "<f4", "fortran_order": False})"};
  for (const int major : {1, 2, 3}) {
    for (const std::string& dictionary : dictionaries) {
      const TemporaryFile file(npy_front(major, dictionary) + bytes_of(six));
      const Embeddings e = Embeddings::open_npy(file.path());
      EXPECT_EQ(e.rows(), 3u);
      EXPECT_EQ(e.dims(), 2u);
      std::vector<float> out(2);
      e.read(2, 1, out.data());
      EXPECT_EQ(out, (std::vector<float>{5, 6}));
    }
  }
  // 0x3c00 = 1, 0xc000 = -2, 0x3555 = 0.33325195 (1365 x 2^-12), 0x0001 = 2^-24
  const TemporaryFile file(npy_front(1, npy_dictionary("<f2", 2, 2)) +
                           bytes_of(std::vector<std::uint16_t>{0x3c00, 0xc000, 0x3555, 0x0001}));
  const Embeddings e = Embeddings::open_npy(file.path());
  EXPECT_EQ(e.element_type(), ElementType::fp16);
  EXPECT_EQ(e.stored_bytes(), 8u);
  std::vector<float> out(4);
  e.read(0, 2, out.data());
  EXPECT_EQ(out, (std::vector<float>{1, -2, 1365.0f / 4096.0f, 0x1p-24f}));
}

// The header fills 128 bytes: 10 + 118.
TEST(Embeddings, RefusesNpy) {
  const auto front = [](const std::string& dictionary) { return npy_front(1, dictionary); };
  const std::string good = front(npy_dictionary("<f4", 3, 2)), data = bytes_of(six);
  ASSERT_EQ(good.size(), 128u);
  EXPECT_EQ(refusal(good + data), "accepted");
  const auto expect = [&](const std::string& bytes, const std::string& start, const std::string& part) {
    const std::string message = refusal(bytes);
    EXPECT_TRUE(message.starts_with(start)) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect("", "byte 0: ", "not a .npy file");
  expect("PK\x03\x04 a zip", "byte 0: ", "not a .npy file");
  expect(good.substr(0, 8), "byte 8: ", "ends inside its header");
  expect(good.substr(0, 60), "byte 60: ", "ends inside its header");
  expect(good + data.substr(0, 20), "byte 148: ", "ends after 2 of 3 rows");
  expect(good + data + "x", "byte 152: ", "1 bytes follow the 3 rows");
  expect(front(npy_dictionary(">f4", 3, 2)) + data, "byte 10: ", "big endian");
  expect(front(npy_dictionary("<f8", 3, 2)) + data + data, "byte 10: ", "astype('<f4')");
  expect(front(npy_dictionary("<f4", 3, 2, true)) + data, "byte 10: ", "Fortran order");
  expect(front("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }") + data, "byte 10: ", "1 dimensions");
  expect(front("{'descr': '<f4', 'fortran_order': False, 'shape': (), }") + data, "byte 10: ", "0 dimensions");
  expect(front("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 2), }"), "byte 10: ", "0 rows");
  expect(front("{'descr': '<f4', 'fortran_order': False}") + data, "byte ", "no key 'shape'");
  expect(front("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}"), "byte 35: ", "twice");
  expect(front("{'descr': '<f4', 'order': False, 'shape': (3, 2)}") + data, "byte ", "unknown key 'order'");
  expect(front("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3, 2)}"), "byte 20: ", "structured");
  expect(front("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 2)}"), "byte ", "64 bits");
  expect(front("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 65536)}"),
         "byte 10: ", "4294967296 rows");
  std::string version = good + data;
  version[6] = 4;
  expect(version, "byte 6: ", "version 4.0");
  std::string huge = npy_front(2, npy_dictionary("<f4", 3, 2)) + data;
  huge[10] = 1;  // the third byte of the length: 65,536 more
  expect(huge, "byte 8: ", "at most 65536");
}

TEST(Embeddings, RefusesNumbers) {
  std::vector<float> values = six;
  values[3] = std::numeric_limits<float>::quiet_NaN();
  const std::string front = npy_front(1, npy_dictionary("<f4", 3, 2));
  EXPECT_TRUE(refusal(front + bytes_of(values)).starts_with("row 1, column 1: nan"))
      << refusal(front + bytes_of(values));
  values[3] = 0;
  values[4] = -std::numeric_limits<float>::infinity();
  EXPECT_TRUE(refusal(front + bytes_of(values)).starts_with("row 2, column 0: -inf"));
}

TEST(Embeddings, RefusesPaths) {
  EXPECT_THROW(Embeddings::open_npy("/nowhere/at/all.npy"), TopologyError);
  EXPECT_THROW(Embeddings::open_npy("/dev/null"), TopologyError);
  EXPECT_THROW(Embeddings::open_npy("/tmp"), TopologyError);
  const TemporaryFile pipe("");
  std::filesystem::remove(pipe.path());
  ASSERT_EQ(::mkfifo(pipe.path().c_str(), 0600), 0);
  EXPECT_THROW(Embeddings::open_npy(pipe.path()), TopologyError);
}

// A file that is cut while it is read: an error, not a signal.
TEST(Embeddings, FileShrinks) {
  const TemporaryFile file(npy_front(1, npy_dictionary("<f4", 3, 2)) + bytes_of(six));
  const Embeddings e = Embeddings::open_npy(file.path());
  std::filesystem::resize_file(file.path(), 140);
  std::vector<float> out(6);
  e.read(0, 1, out.data());
  EXPECT_THROW(e.read(0, 3, out.data()), TopologyError);
}

// Any bytes in the header: read or refused, nothing else. Mutations of good headers from fixed seeds.
TEST(Embeddings, FuzzedHeaders) {
  const std::string seeds[] = {npy_front(1, npy_dictionary("<f4", 3, 2)), npy_front(2, npy_dictionary("<f2", 1, 7)),
                               npy_front(3, npy_dictionary("|S5", 3, 2, true)),
                               npy_front(1, "{\"descr\": [('a', '<f4')], 'shape': (1L,), }")};
  const std::string_view pieces[] = {"'",     "\"", "(", ")", "{", "}", ",", ":", "True", "99999999999999999999",
                                     "descr", "\\"};
  std::uint64_t state = 1;
  const auto pick = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  int accepted = 0, refused = 0;
  for (int i = 0; i < 40'000; ++i) {
    std::string bytes = seeds[pick(4)];
    for (std::uint64_t changes = 1 + pick(4); changes > 0; --changes) {
      const std::size_t at = pick(bytes.size() + 1);
      switch (pick(5)) {
        case 0:
          bytes.resize(at);
          break;
        case 1:
          bytes.insert(at, pieces[pick(std::size(pieces))]);
          break;
        case 2:
          bytes.erase(at, pick(9));
          break;
        case 3:
          bytes.insert(at, bytes.substr(pick(bytes.size() + 1), pick(40)));
          break;
        default:
          if (at < bytes.size()) bytes[at] = static_cast<char>(pick(256));
      }
    }
    try {
      const NpyHeader header = read_npy_header(bytes, "fuzz", "write it again");
      EXPECT_LE(header.data_offset, bytes.size());
      EXPECT_LE(header.shape.size(), 32u);
      ++accepted;
    } catch (const TopologyError& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with("fuzz: byte "));
      ++refused;
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace toposim::topology
