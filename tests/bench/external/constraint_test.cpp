// The expressions of `tune --constraint`.
#include "bench/external/constraint.hpp"

#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const std::vector<std::string> names = {"x", "y", "block_x"};
const Config values{{"x", 7}, {"y", 3}, {"block_x", 32}};

bool holds(const std::string& text) { return Constraint(text, names).holds(values); }

std::string error_of(const std::string& text) {
  try {
    holds(text);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a constraint has the operators and the precedence of C", "[external]") {
  for (const char* text : {"1 + 2 * 3 == 7",  "(1 + 2) * 3 == 9",
                           "x / y == 2",      "x % y == 1",
                           "10 - 4 - 3 == 3", "100 / 10 / 2 == 5",
                           "-x + 8 == 1",     "-7 / 2 == -3",
                           "x * y <= 21",     "!(x * y < 21)",
                           "x > y",           "x >= 7 && y <= 3",
                           "x != y",          "1 < 2 == 1",
                           "0 && 0 || 1",     "1 || 0 && 0",
                           "block_x%32==0",   "!0",
                           "--x==7",          "x",
                           " x\t==7 "}) {
    INFO(text);
    CHECK(holds(text));
  }
  for (const char* text : {"1 + 2 * 3 == 9", "x < y", "x - 7", "0 && (0 || 1)", "!x", "x == 7 && y == 4"}) {
    INFO(text);
    CHECK_FALSE(holds(text));
  }
}

TEST_CASE("the right side of && and || is evaluated only if it decides", "[external]") {
  CHECK_FALSE(holds("x < 0 && x / (y - 3) == 1"));
  CHECK(holds("x > 0 || x / (y - 3) == 1"));
  CHECK_THAT(error_of("x > 0 && x / (y - 3) == 1"), Mentions({"division by zero", "x=7", "y=3"}));
}

TEST_CASE("a value beyond 64 bits is an error, not a wrong answer", "[external]") {
  CHECK_THAT(error_of("9223372036854775807 + x > 0"), Mentions({"64 bits"}));
  CHECK_THAT(error_of("x * 9223372036854775807 > 0"), Mentions({"64 bits"}));
  CHECK_THAT(error_of("(-9223372036854775807 - 1) / -1 > 0"), Mentions({"64 bits"}));
  CHECK_THAT(error_of("92233720368547758070 > 0"), Mentions({"64 bits", "column 1"}));
}

TEST_CASE("a constraint that is not an expression is an error with its column", "[external]") {
  CHECK_THAT(error_of("x +"), Mentions({"'x +'", "column 4", "number"}));
  CHECK_THAT(error_of("(x == 7"), Mentions({"')'", "column 8"}));
  CHECK_THAT(error_of("x = 7"), Mentions({"operator", "column 3"}));
  CHECK_THAT(error_of("x == 7 y"), Mentions({"column 8"}));
  CHECK_THAT(error_of(""), Mentions({"column 1"}));
  CHECK_THAT(error_of("block_y == 1"), Mentions({"'block_y'", "x, y or block_x", "did you mean 'block_x'"}));
}
