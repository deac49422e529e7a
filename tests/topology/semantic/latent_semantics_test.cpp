#include "topology/semantic/latent_semantics.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <string>

#include "topology/error.hpp"
#include "topology/semantic/random_words.hpp"

namespace toposim::topology {
namespace {

const TermOptions words_only{.buckets = 1u << 20, .gram = 0, .words = true};

// "a b b" and "B c": a in one text of two, b in both. Weights: a 1 + ln(3/2), b (1 + ln 2) 1, in the first; b 1, c
// 1 + ln(3/2) in the second; each row over its length. Letter case and punctuation do not matter.
TEST(TermMatrix, ByHand) {
  const std::vector<std::string_view> texts{"a b, b!", "B\nc", ""};
  const SparseRows m = term_matrix(texts, words_only);
  ASSERT_EQ(m.start, (std::vector<std::uint64_t>{0, 2, 4, 4}));
  // Three texts: 1 + ln(4/2) for a and c, 1 + ln(4/3) for b.
  const double rare = 1 + std::log(2.0), common = 1 + std::log(4.0 / 3), b_twice = (1 + std::log(2.0)) * common;
  const double first = std::sqrt(rare * rare + b_twice * b_twice), second = std::sqrt(rare * rare + common * common);
  const std::uint32_t b = m.column[0] == m.column[2] || m.column[0] == m.column[3] ? m.column[0] : m.column[1];
  for (std::uint64_t e = 0; e < 4; ++e) {
    const double expected =
        e < 2 ? (m.column[e] == b ? b_twice : rare) / first : (m.column[e] == b ? common : rare) / second;
    EXPECT_NEAR(m.value[e], expected, 1e-6) << e;
  }
  EXPECT_LT(m.column[0], m.column[1]);
}

// Trigrams of " abcd ": " ab", "abc", "bcd", "cd "; the word itself is a fifth feature. "xabcd" shares "abc", "bcd" and
// "cd ".
TEST(TermMatrix, CharacterGrams) {
  const std::vector<std::string_view> texts{"abcd", "xabcd"};
  const SparseRows both = term_matrix(texts, {.buckets = 1u << 20, .gram = 3, .words = true});
  EXPECT_EQ(both.start, (std::vector<std::uint64_t>{0, 5, 11}));
  const SparseRows grams = term_matrix(texts, {.buckets = 1u << 20, .gram = 3, .words = false});
  EXPECT_EQ(grams.start, (std::vector<std::uint64_t>{0, 4, 9}));
  int shared = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 4; j < 9; ++j) shared += grams.column[i] == grams.column[j];
  EXPECT_EQ(shared, 3);
}

TEST(TermMatrix, Transposed) {
  const SparseRows m{2, 3, {0, 2, 3}, {0, 2, 2}, {1, 2, 3}};
  const SparseRows t = m.transposed();
  EXPECT_EQ(t.rows, 3u);
  EXPECT_EQ(t.start, (std::vector<std::uint64_t>{0, 1, 1, 3}));
  EXPECT_EQ(t.column, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(t.value, (std::vector<float>{1, 2, 3}));
}

TEST(TermMatrix, Errors) {
  const std::vector<std::string_view> texts{"a"};
  EXPECT_THROW(term_matrix({}, {}), TopologyError);
  EXPECT_THROW(term_matrix(texts, {.buckets = 1000}), TopologyError);
  EXPECT_THROW(term_matrix(texts, {.gram = 9}), TopologyError);
  EXPECT_THROW(term_matrix(texts, {.gram = 0, .words = false}), TopologyError);
}

// Texts drawn from 3 vocabularies of 60 words and a shared one.
std::vector<std::string> topic_texts(std::uint64_t count) {
  std::vector<std::string> texts(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    for (std::uint32_t w = 0; w < 30; ++w) {
      const double u = random_unit(1, RandomUse::subspace, i, w);
      const auto word = static_cast<int>(u * 119.99);
      texts[i] += word < 60 ? "w" + std::to_string(word + 60 * static_cast<int>(i % 3)) + " "
                            : "common" + std::to_string(word) + " ";
    }
  }
  return texts;
}

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

// Singular values as a dense decomposition of the same matrix finds them, to 1e-6 of the largest, though 8 are far from
// separated; rows of length 1.
TEST(LatentSemantics, AgainstDense) {
  const auto texts = topic_texts(120);
  const SparseRows m = term_matrix(views(texts), {.buckets = 512, .gram = 0, .words = true});
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(120, 512);
  for (std::uint64_t r = 0; r < m.rows; ++r)
    for (std::uint64_t e = m.start[r]; e < m.start[r + 1]; ++e)
      dense(static_cast<Eigen::Index>(r), m.column[e]) = m.value[e];
  // Roots of the eigenvalues of M M^T: exact to 1e-8 of the largest, and Eigen's SVD takes 45 s to compile.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(dense * dense.transpose(), Eigen::EigenvaluesOnly);
  const Eigen::VectorXd expected = solver.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
  const LatentSemantics found = latent_semantics(m, {.dims = 8, .oversampling = 24, .iterations = 12});
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(found.singular_values[i], expected(i), 1e-6 * expected(0)) << i;
  for (std::uint64_t r = 0; r < 120; ++r) {
    double squares = 0;
    for (int c = 0; c < 8; ++c) squares += std::pow(found.embeddings[r * 8 + c], 2);
    EXPECT_NEAR(squares, 1, 1e-5);
  }
}

// Three topics in 4 dimensions: every text is nearer to its topic's mean than to the others'.
TEST(LatentSemantics, SeparatesTopics) {
  auto texts = topic_texts(600);
  texts.emplace_back("...");  // no terms: a row of zeros
  const LatentSemantics found = latent_semantics(views(texts), {}, {.dims = 4, .threads = 1});
  ASSERT_EQ(found.rows, 601u);
  double mean[3][4] = {};
  for (std::uint64_t i = 0; i < 600; ++i)
    for (int c = 0; c < 4; ++c) mean[i % 3][c] += found.embeddings[i * 4 + c] / 200;
  for (std::uint64_t i = 0; i < 600; ++i) {
    double dot[3] = {};
    for (int t = 0; t < 3; ++t)
      for (int c = 0; c < 4; ++c) dot[t] += mean[t][c] * found.embeddings[i * 4 + c];
    for (std::uint64_t t = 0; t < 3; ++t) EXPECT_GE(dot[i % 3], dot[t]);
  }
  for (int c = 0; c < 4; ++c) EXPECT_EQ(found.embeddings[600 * 4 + c], 0.0f);
  EXPECT_EQ(found.embeddings, latent_semantics(views(texts), {}, {.dims = 4, .threads = 3}).embeddings);
}

TEST(LatentSemantics, Errors) {
  const std::vector<std::string_view> texts{"a b", "c"};
  EXPECT_THROW(latent_semantics(texts, words_only, {.dims = 3}), TopologyError);
  EXPECT_THROW(latent_semantics(texts, words_only, {.dims = 0}), TopologyError);
  EXPECT_EQ(latent_semantics(texts, words_only, {.dims = 2}).embeddings.size(), 4u);
}

}  // namespace
}  // namespace toposim::topology
