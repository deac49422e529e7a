#include <gtest/gtest.h>

#include "recordings.hpp"
#include "sim/recorded/safetensors_header.hpp"

namespace toposim::recorded {
namespace {

const std::string index_text =
    R"({"schema_version": 1, "workers": 1, "steps": [{"step": 1, "files": ["a.safetensors"]}]})";

std::string refused(const std::string& bytes) {
  const TemporaryFolder folder;
  folder.write("index.json", index_text);
  folder.write("a.safetensors", bytes);
  const std::string said = refusal(folder);
  return said.starts_with("a.safetensors: ") ? said.substr(15) : said;
}

const std::string four(16, '\0');  // four numbers of fp32
std::string one(const std::string& fields, const std::string& data = four) {
  return safetensors(R"({"w":{)" + fields + "}}", data);
}

TEST(Safetensors, Sound) {
  EXPECT_EQ(refused(one(R"("dtype":"F32","shape":[4],"data_offsets":[0,16])")), "sound");
  EXPECT_EQ(refused(one(R"("data_offsets":[0,16],"shape":[2,1,2],"dtype":"F32")")), "sound");
  EXPECT_EQ(
      refused(safetensors(
          R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}     )", four)),
      "sound");
}

TEST(Safetensors, Front) {
  const std::string end = "; is it a .safetensors file, and whole? write it again";
  EXPECT_EQ(refused(""), "byte 0: 0 bytes, no length of a header" + end);
  EXPECT_EQ(refused("1234567"), "byte 0: 7 bytes, no length of a header" + end);
  // "PK\3\4zip!" as a number is beyond the limit; 0x11 = 17 bytes are more than the 8 that follow.
  EXPECT_TRUE(refused("PK\3\4zip!...").starts_with("byte 0: a header of 24")) << refused("PK\3\4zip!...");
  EXPECT_EQ(refused(safetensors("", "").substr(0, 8)),
            "byte 8: the header does not begin with {; is it a .safetensors file? write it again");
  std::string longer = safetensors("{\"w\":{}}", "");
  longer[0] = 17;
  EXPECT_EQ(refused(longer), "byte 0: a header of 17 bytes in a file of 16" + end);
  std::string limit = safetensors("{}", "");
  limit[0] = 0x01, limit[1] = static_cast<char>(0xe1), limit[2] = static_cast<char>(0xf5), limit[3] = 0x05;  // 10^8 + 1
  EXPECT_EQ(refused(limit), "byte 0: a header of 100000001 bytes; the format allows 100000000" + end);
}

// The byte after what is told, and after the one that ends a number: {"w":3, is 7 bytes, from byte 8 on.
TEST(Safetensors, HeaderOfAnotherKind) {
  const auto place = [](const std::string& what) {
    return what + " has no place in a safetensors header here; write the file again";
  };
  EXPECT_EQ(refused(safetensors(R"({"w":3,)", "")), "byte 15: " + place("a number"));
  EXPECT_EQ(refused(safetensors(R"({"w":null})", "")), "byte 17: " + place("null"));
  EXPECT_EQ(refused(safetensors(R"({"w":true})", "")), "byte 17: " + place("true or false"));
  EXPECT_EQ(refused(safetensors(R"({"w":"x"})", "")), "byte 16: " + place("a text"));
  EXPECT_EQ(refused(safetensors(R"({"w":[1]})", "")), "byte 14: " + place("an array"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"dtype":{)", "")), "byte 23: " + place("an object"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"dtype":["F32"]}})", "")), "byte 23: " + place("an array"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"shape":"F32"}})", "")), "byte 27: " + place("a text"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"shape":[-1]}})", "")), "byte 26: " + place("a negative number"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"shape":[1.5]}})", "")), "byte 27: " + place("a number that is not whole"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"shape":[[)", "")), "byte 24: " + place("an array"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"data_offsets":[0,1,2]}})", "")), "byte 36: " + place("one number too many"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"strides":)", "")), "byte 23: " + place("the key 'strides'"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"dtype":"F32","dtype":)", "")), "byte 35: " + place("a second 'dtype'"));
  EXPECT_EQ(refused(safetensors(R"({"w":{"dtype":"F32"}})", "")),
            "byte 28: " + place("the end of tensor 'w' without shape"));
  EXPECT_EQ(refused(safetensors(R"({"__metadata__":{},"__metadata__":{)", "")),
            "byte 43: " + place("a second __metadata__"));
  EXPECT_EQ(refused(safetensors(R"({"__metadata__":{"a":1}})", "")), "byte 31: " + place("a number"));
  EXPECT_EQ(refused(safetensors(R"({"__metadata__":{"a":{)", "")), "byte 30: " + place("an object"));
  EXPECT_EQ(refused(safetensors(R"({"w" 1})", "")), "byte 15: " + place("something that is not JSON"));
  EXPECT_EQ(refused(safetensors(R"({} {})", "")), "byte 12: " + place("something that is not JSON"));
  EXPECT_EQ(refused(safetensors(R"({"a\u001b":{)", "")), "byte 20: " + place("a name with control characters"));
  EXPECT_EQ(refused(safetensors("{\"" + std::string(1025, 'x') + "\":{", "")),
            "byte 1038: " + place("a name of more than 1024 bytes"));
}

TEST(Safetensors, Tensors) {
  EXPECT_EQ(refused(one(R"("dtype":"F64","shape":[2],"data_offsets":[0,16])")),
            "byte 9: tensor 'w': dtype 'F64'; F32, F16 and BF16 are read; convert it with tensor.float()");
  EXPECT_EQ(refused(one(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,16])")),
            "byte 9: tensor 'w': its shape has more than 1099511627776 numbers; write the file again");
  EXPECT_EQ(refused(one(R"("dtype":"F32","shape":[4],"data_offsets":[16,0])")),
            "byte 9: tensor 'w': data_offsets is not [begin, end]; write the file again");
  EXPECT_EQ(refused(one(R"("dtype":"F32","shape":[4],"data_offsets":[0])")),
            "byte 9: tensor 'w': data_offsets is not [begin, end]; write the file again");
  EXPECT_EQ(refused(one(R"("dtype":"F16","shape":[4],"data_offsets":[0,16])")),
            "byte 9: tensor 'w': data_offsets span 16 bytes, its 4 numbers of F16 take 8; write the file again");
  EXPECT_EQ(refused(one(R"("dtype":"F32","shape":[0],"data_offsets":[0,0])", "")),
            "tensor 'w' has no numbers; leave it out");
  EXPECT_EQ(refused(safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                R"("a":{"dtype":"F32","shape":[3],"data_offsets":[4,16]}})",
                                four)),
            "byte 9: tensor 'a': appears twice; write the file again");
}

// The second tensor's entry starts at byte 8 + 54 = 62.
TEST(Safetensors, Coverage) {
  const auto two = [](const std::string& a, const std::string& b) {
    return safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[)" + a +
                           R"(]},"b":{"dtype":"F32","shape":[2],)" + R"("data_offsets":[)" + b + "]}}",
                       four);
  };
  EXPECT_EQ(refused(two("0,8", "8,16")), "sound");
  EXPECT_EQ(
      refused(two("0,8", "4,12")),
      "byte 62: tensor 'b': its numbers begin at 4 of the data, those before it end at 8: an overlap; write the file "
      "again");
  EXPECT_EQ(
      refused(two("0,8", "9,17")),
      "byte 62: tensor 'b': its numbers begin at 9 of the data, those before it end at 8: a gap; write the file again");
  // 1 + 10 bytes of header text, 57 of each tensor: data from byte 8 + 111 on
  const std::string good = two("0,8", "8,16");
  const std::size_t data = good.size() - 16;
  EXPECT_EQ(refused(good.substr(0, good.size() - 6)),
            "byte " + std::to_string(data + 10) +
                ": 10 bytes of numbers where its header asks for 16; it was cut off: write or copy it again");
  EXPECT_EQ(refused(good + "x"),
            "byte " + std::to_string(data + 16) +
                ": 17 bytes of numbers where its header asks for 16; it was appended to: write or copy it again");
  EXPECT_EQ(refused(safetensors("{}", "")), "no tensors; record some");
  EXPECT_EQ(refused(safetensors("{}", four)),
            "byte 10: 16 bytes of numbers where its header asks for 0; it was appended to: write or copy it again");
}

}  // namespace
}  // namespace toposim::recorded
