#include <gtest/gtest.h>

#include <algorithm>

#include "sim/recorded/error.hpp"
#include "sim/recorded/limits.hpp"
#include "sim/recorded/parameter_order.hpp"
#include "sim/recorded/tensor_names.hpp"

namespace toposim::recorded {
namespace {

TEST(TensorNames, Order) {
  // '-' is 0x2d, '.' 0x2e, '0' 0x30: by bytes alone, a-b would lie between a and a.b.
  const std::vector<std::string> sorted{"",
                                        "a",
                                        "a.b",
                                        "a.b.c",
                                        "a-b",
                                        "b2",
                                        "b02",
                                        "b2.x",
                                        "b10",
                                        "bx",
                                        "layers.2.w",
                                        "layers.2a",
                                        "layers.10.b",
                                        "layers.99999999999999999999.w",
                                        "layers.100000000000000000000.w"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      // b02 and b2 are the same number: b02 first, by bytes, and then what begins with it.
      if (sorted[i].starts_with("b02") || sorted[j].starts_with("b02")) continue;
      EXPECT_EQ(name_before(sorted[i], sorted[j]), i < j) << sorted[i] << ' ' << sorted[j];
    }
  }
  EXPECT_TRUE(name_before("b02", "b2"));
  EXPECT_TRUE(name_before("b02.z", "b2.a"));
  EXPECT_FALSE(name_before("b2", "b02"));
  EXPECT_TRUE(name_before("b1", "b02"));
}

// A strict order for any names: sorting them from two arrangements gives the same, whatever the characters.
TEST(TensorNames, OrderIsStrict) {
  std::uint64_t state = 7;
  const auto pick = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  std::vector<std::string> names;
  for (int i = 0; i < 400; ++i) {
    std::string name;
    for (std::uint64_t n = pick(6); n > 0; --n) name += "ab.019"[pick(6)];
    names.push_back(name);
  }
  for (const std::string& a : names) {
    EXPECT_FALSE(name_before(a, a));
    for (const std::string& b : names) {
      EXPECT_EQ(a == b, name_before(a, b) == name_before(b, a)) << a << ' ' << b;
    }
  }
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted, name_before);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = i; j < sorted.size(); ++j) EXPECT_FALSE(name_before(sorted[j], sorted[i]));
  }
}

TEST(TensorNames, FirstParts) {
  EXPECT_EQ(first_parts("a.b.c", 1), "a");
  EXPECT_EQ(first_parts("a.b.c", 2), "a.b");
  EXPECT_EQ(first_parts("a.b.c", 3), "a.b.c");
  EXPECT_EQ(first_parts("a.b.c", 9), "a.b.c");
  EXPECT_EQ(first_parts(".a", 1), "");
  EXPECT_EQ(first_parts("", 1), "");
}

TEST(TensorNames, Matches) {
  for (const auto& [pattern, name] : {std::pair{"a", "a"},
                                      {"*", ""},
                                      {"*", "a.b"},
                                      {"a*", "a"},
                                      {"*.w", "x.w"},
                                      {"a*b*c", "a--b--b-c"},
                                      {"**", "x"},
                                      {"*ab", "aab"},
                                      {"*ab*", "xaaby"},
                                      {"", ""}}) {
    EXPECT_TRUE(matches(pattern, name)) << pattern << ' ' << name;
  }
  for (const auto& [pattern, name] :
       {std::pair{"a", "b"}, {"a", "ab"}, {"", "a"}, {"*.w", "xw"}, {"a*b*c", "acb"}, {"*ab", "aba"}, {"a.b", "axb"}}) {
    EXPECT_FALSE(matches(pattern, name)) << pattern << ' ' << name;
  }
}

std::vector<std::string> own_groups(const std::vector<std::string>& names) {
  std::vector<Tensor> tensors;
  for (const std::string& name : names) tensors.push_back({name, {2}, 0, 2});
  const ParameterOrder order = order_parameters(tensors, {}, "x");
  std::vector<std::string> groups;
  std::uint64_t end = 0;
  for (const Group& group : order.groups) {
    EXPECT_EQ(group.begin, end);
    EXPECT_GT(group.end, group.begin);
    end = group.end;
    groups.push_back(group.name);
  }
  EXPECT_EQ(end, 2 * names.size());
  return groups;
}

// Names of h.<i>.mlp.w have four parts; 40 such layers are more than 32 groups of three or two parts: one part is left.
TEST(TensorNames, OwnGroups) {
  EXPECT_EQ(own_groups({"w", "b"}), (std::vector<std::string>{"b", "w"}));
  EXPECT_EQ(own_groups({"h.1.mlp.w", "h.1.mlp.b", "h.0.mlp.w", "head.w"}),
            (std::vector<std::string>{"h.0.mlp", "h.1.mlp", "head.w"}));
  std::vector<std::string> deep{"head.w"}, wide;
  for (int i = 0; i < 40; ++i) deep.push_back("h." + std::to_string(i) + ".mlp.w");
  EXPECT_EQ(own_groups(deep), (std::vector<std::string>{"h", "head"}));
  for (int i = 0; i < 16; ++i) {
    for (const char* part : {".attn.w", ".mlp.w", ".norm.w"}) wide.push_back("h." + std::to_string(i) + part);
  }
  const std::vector<std::string> layers = own_groups(wide);  // 48 of three parts, 16 of two
  ASSERT_EQ(layers.size(), 16u);
  EXPECT_EQ(layers[2], "h.2");
  std::vector<std::string> apart;
  for (int i = 0; i < 33; ++i) apart.push_back("w" + std::to_string(i));
  EXPECT_EQ(own_groups(apart), (std::vector<std::string>{"all"}));
}

TEST(TensorNames, TooManyParameters) {
  const std::vector<Tensor> two{{"a", {parameters_max}, 0, parameters_max}, {"b", {1}, 0, 1}};
  EXPECT_THROW(order_parameters(two, {}, "x"), RecordedError);
  EXPECT_EQ(order_parameters({two[0]}, {}, "x").parameters, parameters_max);
}

}  // namespace
}  // namespace toposim::recorded
