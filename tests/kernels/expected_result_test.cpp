// The expected result of reductions.
#include "kernels/cells/expected_result.hpp"

#include <limits>

#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

template <class Op, class F>
ExpectedScalar expected(const Grid& g, const F& number) {
  ExpectedScalar scalar;
  joined_over_cells<Op>(g, [&](int i, int j, int k, auto& result) {
    result.add(number(i, j, k));
  }).expect(scalar, Precision::fp64, g);
  return scalar;
}

}  // namespace

TEST_CASE("the numbers of all cells are reduced once, on planes and boxes, on one core and on all",
          "[kernels]") {
  // Each cell's index as its number: 0 + 1 + ... + (n - 1).
  const auto number_on = [](const Grid& g) {
    return [g](int i, int j, int k) { return (long double)((Index(k) * g.ny + j) * g.nx + i); };
  };
  for (const Grid& g : {Grid{7, 5, 1}, Grid{201, 103, 1}, Grid{5, 4, 3}, Grid{41, 23, 37}}) {
    const double n = double(g.cells());
    CHECK(expected<SumOperation>(g, number_on(g)).expected_scalar == n * (n - 1) / 2);
    CHECK(expected<MaxNormOperation>(g, number_on(g)).expected_scalar == n - 1);
    const auto negative = [&](int i, int j, int k) { return -number_on(g)(i, j, k); };
    CHECK(expected<MaxNormOperation>(g, negative).expected_scalar == n - 1);
  }
}

TEST_CASE("a NaN propagates from any position, and mixed signs do not reduce a sum's tolerance",
          "[kernels]") {
  const Grid g{150, 130, 1};
  for (const int row : {0, 64, 129}) {
    const auto broken = [&](int i, int j, int) {
      return i == 75 && j == row ? std::numeric_limits<long double>::quiet_NaN() : 2.0L;
    };
    CHECK(std::isnan(*expected<MaxNormOperation>(g, broken).expected_scalar));
  }
  const auto ones = [](int, int, int) { return 1.0L; };
  const auto both = [](int i, int, int) { return i % 2 == 0 ? 1.0L : -1.0L; };
  const ExpectedScalar of_ones = expected<SumOperation>(g, ones), of_both = expected<SumOperation>(g, both);
  CHECK(of_both.expected_scalar == 0);
  CHECK(of_both.scalar_tolerance == of_ones.scalar_tolerance);
  CHECK(of_ones.scalar_tolerance > 0);
}
