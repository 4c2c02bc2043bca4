// Parameters of a program, and its command with their values.
#include "bench/external/program_space.hpp"

#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

std::string space_error(const std::vector<std::string>& parameters,
                        const std::vector<std::string>& constraints = {}) {
  return error_of([&] { program_space(parameters, constraints); });
}

}  // namespace

TEST_CASE("the configs are the combinations that satisfy every constraint, and the first is the default",
          "[external]") {
  const tuning::SearchSpace space =
      program_space({"x=16,32,64", "y=1,2,4"}, {"x*y<=64", "x != 16 || y == 4"});
  std::vector<std::string> texts;
  for (std::size_t n = 0; n < space.size(); ++n) texts.push_back(space[n].config.text());
  CHECK(texts == std::vector<std::string>{"x=16,y=4", "x=32,y=1", "x=32,y=2", "x=64,y=1"});
  CHECK(space.fallback() == 0);
}

TEST_CASE("a parameter may have words", "[external]") {
  const tuning::SearchSpace space = program_space({"order=rows,columns", "n=1,2"}, {"n<2"});
  REQUIRE(space.size() == 2);
  CHECK(space[1].config.choice("order") == "columns");
}

TEST_CASE("a wrong parameter or constraint is an error that names it", "[external]") {
  CHECK_THAT(space_error({}), Mentions({"--parameter"}));
  for (const char* text : {"x", "=1", "2x=1", "x y=1"})
    CHECK_THAT(space_error({text}), Mentions({"--parameter '" + std::string(text) + "'", "NAME=VALUE"}));
  CHECK_THAT(space_error({"x=1,,2"}), Mentions({"a value is missing"}));
  CHECK_THAT(space_error({"x="}), Mentions({"a value is missing"}));
  CHECK_THAT(space_error({"x=1,2,1"}), Mentions({"occurs twice"}));
  CHECK_THAT(space_error({"x=1", "x=2"}), Mentions({"x is given twice"}));
  CHECK_THAT(space_error({"x=1,2"}, {"x>2"}), Mentions({"none of the 2 combinations"}));
  CHECK_THAT(space_error({"x=1,a"}, {"x>2"}), Mentions({"'x'", "there is none"}));
}

TEST_CASE("a command gets the values of its parameters, and double braces stay as single ones",
          "[external]") {
  const Config config{{"x", 16}, {"y", 2}};
  CHECK(command_with("./app --x {x} -y{y} {x}", config, "--command") == "./app --x 16 -y2 16");
  CHECK(command_with("awk '{{print $1}}' {x}", config, "--command") == "awk '{print $1}' 16");
  CHECK_THAT(error_of([&] { command_with("./app {z}", config, "--command"); }),
             Mentions({"--command", "'{z}'", "x or y", "{{"}));
  CHECK_THAT(error_of([&] { check_uses_all("./app {x}", config); }), Mentions({"{y}"}));
  CHECK(error_of([&] { check_uses_all("./app {x} {y}", config); }).empty());
}
