// Quotients by a stored reciprocal: the bits of a division.
#include "kernels/core/reciprocal.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

template <class T>
bool is_the_division(T dividend, T divisor) {
  const T quotient = quotient_by_reciprocal(dividend, divisor, safe_reciprocal(divisor));
  // A zero may have either sign.
  return quotient == dividend / divisor;
}
// Returns a number with random bits between 2^-limit and 2^limit.
template <class T, class Bits>
T random_number(std::mt19937_64& random, double limit) {
  for (;;) {
    const T value = std::bit_cast<T>(Bits(random()));
    if (std::isfinite(value) && value != 0 && std::abs(std::log2(std::abs(double(value)))) <= limit)
      return value;
  }
}

}  // namespace

TEST_CASE("quotients by a reciprocal equal divisions for all safe numbers", "[reciprocal]") {
  std::mt19937_64 random(7);
  int wrong = 0, once_corrected = 0;
  for (int n = 0; n < 2000000; ++n) {
    const float a = random_number<float, std::uint32_t>(random, 60),
                d = random_number<float, std::uint32_t>(random, 40);
    REQUIRE(has_safe_reciprocal(d));
    REQUIRE(is_safe_dividend(a));
    wrong += !is_the_division(a, d);
    once_corrected += a * (1 / d) != a / d;
  }
  CHECK(wrong == 0);
  CHECK(once_corrected > 100000);  // the plain product differs often
  for (int n = 0; n < 1000000; ++n)
    wrong += !is_the_division(random_number<double, std::uint64_t>(random, 900),
                              random_number<double, std::uint64_t>(random, 100));
  CHECK(wrong == 0);
}

// Quotients next to the midpoint of two adjacent numbers: dividends are the rounded product of the divisor
// and such a midpoint, and their neighbours. Divisors include some with all digits one.
TEST_CASE("quotients next to the midpoint of two numbers are rounded like divisions", "[reciprocal]") {
  std::mt19937_64 random(11);
  const auto digits = [&] { return std::ldexp(double(random() >> 12 | (1ull << 52)), -52); };
  int wrong = 0;
  for (int n = 0; n < 300000; ++n) {
    const double d = n % 3 == 0 ? 2 - std::ldexp(1 + n % 64, -52) : digits();
    // q + half a unit, times d, in two parts.
    const double q = digits(), half = std::ldexp(1, -53);
    const double product = q * d, rest = std::fma(q, d, -product);
    const double middle = product + (rest + half * d);
    for (const double a : {std::nextafter(middle, 0.0), middle, std::nextafter(middle, 9.0)})
      wrong += !is_the_division(a, d);
  }
  CHECK(wrong == 0);
}

TEST_CASE("numbers whose quotients may leave the normal range are not safe", "[reciprocal]") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double d : {0.0, 1e-31, 1e31, infinity, std::nan("")}) {
    INFO(d);
    CHECK_FALSE(has_safe_reciprocal(d));
    CHECK_FALSE(has_safe_reciprocal(-d));
  }
  for (const double a : {1e-280, 1e280, 5e-324, infinity, std::nan("")}) {
    INFO(a);
    CHECK_FALSE(is_safe_dividend(a));
    CHECK_FALSE(is_safe_dividend(-a));
  }
  for (const double a : {0.0, -0.0, 1e-270, 1e270}) CHECK(is_safe_dividend(a));
  CHECK(is_the_division(0.0, 3.0));
  CHECK(is_the_division(-0.0, 3.0));
  for (const float d : {0.0f, 1e-13f, 2e12f}) CHECK_FALSE(has_safe_reciprocal(d));
  for (const float a : {1e-19f, 2e18f, 1e-45f}) CHECK_FALSE(is_safe_dividend(a));
  // The smallest and the largest safe numbers.
  for (const float a : {0x1p-60f, 0x1p60f})
    for (const float d : {0x1p-40f, 0x1p40f, 0x1.fffffep39f, 0x1.fffffep-40f}) CHECK(is_the_division(a, d));
  for (const double a : {0x1p-900, 0x1p900})
    for (const double d : {0x1p-100, 0x1p100, 0x1.fffffffffffffp99}) CHECK(is_the_division(a, d));
}
