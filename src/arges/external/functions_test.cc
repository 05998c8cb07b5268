// The built-in functions by their names.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "arges/external/call_by_name.h"
#include "arges/external/table_file.h"

namespace arges::external {
namespace {

class ExternalFunctions : public ::testing::Test {
 protected:
  Environment e_;
  std::string file(const std::string& name, const std::string& text) {
    std::string path = ::testing::TempDir() + "arges_external_" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

TEST_F(ExternalFunctions, EqualStringsHaveEqualNumbers) {
  EXPECT_EQ(e_.intern("a"), e_.intern(std::string("a")));
  EXPECT_NE(e_.intern("a"), e_.intern("b"));
  EXPECT_EQ(e_.text(e_.intern("x y")), "x y");
  EXPECT_EQ(e_.text(0), "");
}

TEST_F(ExternalFunctions, HashOfTheStandardLibrary) {
  EXPECT_EQ(call_by_name(e_, "ModelicaStrings_hashString", {string(e_, "this is a test")}),
            1827717433);
  EXPECT_EQ(call_by_name(e_, "ModelicaStrings_hashString", {string(e_, "Controller.noise1")}),
            -1025762750);
}

TEST_F(ExternalFunctions, NumbersAreScannedFromStrings) {
  std::vector<TestArgument> a{string(e_, "x = -1.5e-3;"), integer(4), integer(0), integer(0),
                              real(0)};
  call_by_name(e_, "ModelicaStrings_scanReal", a);
  EXPECT_EQ(a[3].values[0], 12);
  EXPECT_EQ(a[4].values[0], -1.5e-3);
  std::vector<TestArgument> b{string(e_, " 42."), integer(1), integer(0), integer(0), integer(0)};
  call_by_name(e_, "ModelicaStrings_scanInteger", b);
  EXPECT_EQ(b[3].values[0], 1);  // a Real: not taken
  std::vector<TestArgument> c{string(e_, "  ab_1+"), integer(1), integer(0), string(e_, "")};
  call_by_name(e_, "ModelicaStrings_scanIdentifier", c);
  EXPECT_EQ(e_.text(c[3].values[0]), "ab_1");
  EXPECT_EQ(c[2].values[0], 7);
  EXPECT_EQ(e_.text(call_by_name(e_, "ModelicaStrings_substring",
                                 {string(e_, "abcdef"), integer(2), integer(4)})),
            "bcd");
}

// The first numbers of the generators from small seeds, by exact integer arithmetic.
TEST_F(ExternalFunctions, RandomGeneratorsGiveTheirPublishedSequences) {
  std::vector<TestArgument> a{vector({1, 0}), vector({0, 0}), real(0)};
  call_by_name(e_, "ModelicaRandom_xorshift64star", a);
  // x = 1: x ^= x << 25 gives 2^25 + 1, the other shifts give nothing.
  const auto x = (std::uint64_t{33554433}) * 2685821657736338717ULL;
  EXPECT_EQ(a[2].values[0], static_cast<double>(static_cast<std::int64_t>(x)) / 0x1p64 + 0.5);
  EXPECT_EQ(static_cast<std::uint32_t>(static_cast<std::int32_t>(a[1].values[0])),
            static_cast<std::uint32_t>(x));
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    a[0].values = a[1].values;
    call_by_name(e_, "ModelicaRandom_xorshift64star", a);
    ASSERT_GT(a[2].values[0], 0);
    ASSERT_LT(a[2].values[0], 1);
    sum += a[2].values[0];
  }
  EXPECT_NEAR(sum / 10000, 0.5, 4 / std::sqrt(12.0 * 10000));
  std::vector<TestArgument> b{vector({1, 0, 2, 0}), vector({0, 0, 0, 0}), real(0)};
  call_by_name(e_, "ModelicaRandom_xorshift128plus", b);
  // s1 = 1 ^ 1 << 23; next = s1 ^ s0 ^ s1 >> 17, plus s0.
  const std::uint64_t s1 = 1 ^ (1 << 23);
  EXPECT_EQ(b[1].values[2], static_cast<double>((s1 ^ 2 ^ (s1 >> 17)) + 2));
}

TEST_F(ExternalFunctions, ImpureRandomNeedsItsStart) {
  EXPECT_THROW(call_by_name(e_, "ModelicaRandom_impureRandom_xorshift1024star", {integer(7)}),
               EvaluationError);
  std::vector<double> state(33, 12345);
  state[32] = 0;
  call_by_name(e_, "ModelicaRandom_setInternalState_xorshift1024star",
               {vector(state), integer(33), integer(7)});
  const double a = call_by_name(e_, "ModelicaRandom_impureRandom_xorshift1024star", {integer(7)});
  const double b = call_by_name(e_, "ModelicaRandom_impureRandom_xorshift1024star", {integer(7)});
  EXPECT_NE(a, b);
  std::vector<TestArgument> pure{vector(state), vector(state), real(0)};
  call_by_name(e_, "ModelicaRandom_xorshift1024star", pure);
  EXPECT_EQ(pure[2].values[0], a);
}

TEST_F(ExternalFunctions, TransformOfAHarmonic) {
  for (const int n : {8, 30, 14, 150}) {
    std::vector<double> u;
    for (int i = 0; i < n; ++i)
      u.push_back(2 + 3 * std::cos(2 * std::numbers::pi * 2 * i / n + 0.25));
    const int half = n / 2 + 1;
    const auto zeros = [](int k) {
      return vector(std::vector<double>(static_cast<std::size_t>(k), 0.0));
    };
    std::vector<TestArgument> a{vector(u),  integer(n),  zeros(1),
                                integer(1), zeros(half), zeros(half)};
    EXPECT_EQ(call_by_name(e_, "ModelicaFFT_kiss_fftr", a), 0);
    EXPECT_NEAR(a[4].values[0], 2.0 * n / half, 1e-12);
    EXPECT_NEAR(a[4].values[2], 1.5 * n / half, 1e-12);
    EXPECT_NEAR(a[5].values[2], 0.25, 1e-12);
    EXPECT_NEAR(a[4].values[1], 0, 1e-12);
  }
}

TEST_F(ExternalFunctions, LinearEquationsAndEigenvalues) {
  std::vector<TestArgument> s{integer(2), integer(1),     matrix(2, 2, {0, 2, 3, 4}),
                              integer(2), vector({0, 0}), vector({2, 11}),
                              integer(2), integer(9)};
  call_by_name(e_, "dgesv", s);
  EXPECT_EQ(s[7].values[0], 0);
  EXPECT_NEAR(s[5].values[0], 7.0 / 3, 1e-14);
  EXPECT_NEAR(s[5].values[1], 1, 1e-14);
  // Rotation: eigenvalues +-i.
  std::vector<TestArgument> g{string(e_, "N"), string(e_, "V"),
                              integer(2),      matrix(2, 2, {0, -1, 1, 0}),
                              integer(2),      vector({0, 0}),
                              vector({0, 0}),  matrix(1, 2, {0, 0}),
                              integer(1),      matrix(2, 2, {0, 0, 0, 0}),
                              integer(2),      vector({0}),
                              integer(1),      integer(9)};
  call_by_name(e_, "dgeev", g);
  EXPECT_NEAR(g[5].values[0], 0, 1e-14);
  EXPECT_NEAR(std::abs(g[6].values[0]), 1, 1e-14);
  std::vector<TestArgument> inverse{integer(2), integer(2),     matrix(2, 2, {4, 7, 2, 6}),
                                    integer(2), vector({0, 0}), integer(9)};
  call_by_name(e_, "dgetrf", inverse);
  std::vector<TestArgument> i2{integer(2),  inverse[2], integer(2), inverse[4],
                               vector({0}), integer(1), integer(9)};
  call_by_name(e_, "dgetri", i2);
  EXPECT_NEAR(i2[1].values[0], 0.6, 1e-14);
  EXPECT_NEAR(i2[1].values[1], -0.7, 1e-14);
  EXPECT_NEAR(i2[1].values[2], -0.2, 1e-14);
  EXPECT_NEAR(i2[1].values[3], 0.4, 1e-14);
}

TEST_F(ExternalFunctions, LeastSquaresAndSingularValues) {
  // A line through (0, 1), (1, 3), (2, 4): 7/6 + 3/2 x.
  std::vector<TestArgument> s{
      integer(3), integer(2),        integer(1),  matrix(3, 2, {1, 0, 1, 1, 1, 2}),
      integer(3), vector({1, 3, 4}), integer(3),  vector({0, 0}),
      real(0),    integer(0),        vector({0}), integer(1),
      integer(9)};
  call_by_name(e_, "dgelsy", s);
  EXPECT_NEAR(s[5].values[0], 7.0 / 6, 1e-13);
  EXPECT_NEAR(s[5].values[1], 1.5, 1e-13);
  EXPECT_EQ(s[9].values[0], 2);
  std::vector<TestArgument> d{string(e_, "N"),
                              string(e_, "N"),
                              integer(2),
                              integer(2),
                              matrix(2, 2, {3, 0, 0, -2}),
                              integer(2),
                              vector({0, 0}),
                              matrix(2, 2, {0, 0, 0, 0}),
                              integer(2),
                              matrix(2, 2, {0, 0, 0, 0}),
                              integer(2),
                              vector({0}),
                              integer(1),
                              integer(9)};
  call_by_name(e_, "dgesvd", d);
  EXPECT_NEAR(d[6].values[0], 3, 1e-14);
  EXPECT_NEAR(d[6].values[1], 2, 1e-14);
}

TEST_F(ExternalFunctions, TablesComeFromTextFiles) {
  const std::string path = file("tables.txt",
                                "#1\n# a comment\nint other(1,1)\n7\n"
                                "double tab(3,2) # remark\n0 1\n1,\t2 # more\n2;+3e0\n");
  const auto table = [&](const std::string& name) {
    return call_by_name(e_, "ModelicaStandardTables_CombiTable1D_init2",
                        {string(e_, path), string(e_, name), matrix(0, 0, {}), integer(0),
                         integer(0), vector({2}), integer(1), integer(1), integer(2), integer(0)});
  };
  const double handle = table("tab");
  EXPECT_EQ(table("tab"), handle);  // the same object
  const TestArgument object{ArgumentType::kObject, {handle}, {}};
  EXPECT_DOUBLE_EQ(call_by_name(e_, "ModelicaStandardTables_CombiTable1D_getValue",
                                {object, integer(1), real(1.5)}),
                   2.5);
  EXPECT_EQ(call_by_name(e_, "ModelicaStandardTables_CombiTable1D_maximumAbscissa", {object}), 2);
  EXPECT_THROW(table("missing"), EvaluationError);
  std::remove(path.c_str());
}

TEST_F(ExternalFunctions, LeastSquaresWithConstraints) {
  // The point of the plane x + 2 y + 2 z = 9 nearest to the origin is (1, 2, 2).
  std::vector<TestArgument> s{integer(3),  integer(3),
                              integer(1),  matrix(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}),
                              integer(3),  matrix(1, 3, {1, 2, 2}),
                              integer(1),  vector({0, 0, 0}),
                              vector({9}), vector({0, 0, 0}),
                              vector({0}), integer(1),
                              integer(9)};
  call_by_name(e_, "dgglse", s);
  EXPECT_NEAR(s[9].values[0], 1, 1e-14);
  EXPECT_NEAR(s[9].values[1], 2, 1e-14);
  EXPECT_NEAR(s[9].values[2], 2, 1e-14);
  EXPECT_EQ(s[12].values[0], 0);
  // Two constraints that are scaled differently: x = 5, y + z = 4 and y - z is free to be 2.
  s[2] = integer(2);
  s[3] = matrix(3, 3, {1, 0, 0, 0, 1, -1, 0, 0, 0});
  s[5] = matrix(2, 3, {1, 0, 0, 0, 100, 100});
  s[7] = vector({0, 2, 0});
  s[8] = vector({5, 400});
  call_by_name(e_, "dgglse", s);
  EXPECT_NEAR(s[9].values[0], 5, 1e-13);
  EXPECT_NEAR(s[9].values[1], 3, 1e-13);
  EXPECT_NEAR(s[9].values[2], 1, 1e-13);
  s[5] = matrix(2, 3, {1, 0, 0, 2, 0, 0});
  call_by_name(e_, "dgglse", s);
  EXPECT_EQ(s[12].values[0], 1);
}

TEST_F(ExternalFunctions, EigenvaluesOfHessenbergMatrices) {
  // The companion matrix of (z - 2)(z^2 + 1).
  std::vector<TestArgument> s{string(e_, "E"),   string(e_, "N"),
                              integer(3),        integer(1),
                              integer(3),        matrix(3, 3, {2, -1, 2, 1, 0, 0, 0, 1, 0}),
                              integer(3),        vector({0, 0, 0}),
                              vector({0, 0, 0}), matrix(3, 3, {0, 0, 0, 0, 0, 0, 0, 0, 0}),
                              integer(3),        vector({0}),
                              integer(1),        integer(9)};
  call_by_name(e_, "dhseqr", s);
  double real = 0, imaginary = 0, product = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    real += s[7].values[i];
    imaginary += s[8].values[i];
    product *= std::hypot(s[7].values[i], s[8].values[i]);
  }
  EXPECT_NEAR(real, 2, 1e-13);
  EXPECT_NEAR(imaginary, 0, 1e-13);
  EXPECT_NEAR(product, 2, 1e-13);
  EXPECT_EQ(s[13].values[0], 0);
}

TEST_F(ExternalFunctions, MatricesSurviveMatFiles) {
  const std::string path = ::testing::TempDir() + "arges_external.mat";
  write_mat4(path, "A", {2, 3, {1, 2, 3, 4, 5, 6}}, false);
  write_mat4(path, "B", {1, 1, {9}}, true);
  const Matrix a = read_matrix(path, "A");
  EXPECT_EQ(a.rows, 2);
  EXPECT_EQ(a.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  std::vector<TestArgument> sizes{string(e_, path), string(e_, "B"), vector({0, 0})};
  call_by_name(e_, "ModelicaIO_readMatrixSizes", sizes);
  EXPECT_EQ(sizes[2].values, (std::vector<double>{1, 1}));
  EXPECT_THROW(read_matrix(path, "C"), IoError);
  std::remove(path.c_str());
}

TEST_F(ExternalFunctions, CsvFilesAreTables) {
  const std::string path = file("data.csv", "t;x\n0;1\n2;5\n");
  const Matrix m = read_matrix(path, "", ';', 1);
  EXPECT_EQ(m.columns, 2);
  EXPECT_EQ(m.values, (std::vector<double>{0, 1, 2, 5}));
  std::remove(path.c_str());
}

TEST_F(ExternalFunctions, AMarkOfUtf8BeforeATableIsNoPartOfIt) {
  const std::string path = file("marked.txt", "\xEF\xBB\xBF#1\ndouble t(1,2)\n3 4\n");
  EXPECT_EQ(read_matrix(path, "t").values, (std::vector<double>{3, 4}));
  std::remove(path.c_str());
}

TEST_F(ExternalFunctions, PrintGoesToThePrinter) {
  std::string shown;
  e_.set_printer([&](std::string_view line) { shown = line; });
  call_by_name(e_, "ModelicaInternal_print", {string(e_, "hello"), string(e_, "")});
  EXPECT_EQ(shown, "hello");
}

}  // namespace
}  // namespace arges::external
