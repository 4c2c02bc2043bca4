#include "bench/run/workbench.hpp"

#include "tests/bench/run/faulty_rows.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// How many of three cases were prepared before each was first measured.
std::vector<int> prepared_before_each(double seconds_of_preparing) {
  const std::vector<Case> cases = {faulty_case("sound", 8), faulty_case("sound", 9),
                                   faulty_case("sound", 10)};
  Wanted wanted;
  wanted.seconds = 1e-3, wanted.instructions = wanted.ahead = false, wanted.preparing = seconds_of_preparing;
  int prepared = 0;
  std::vector<int> before(cases.size(), 0);
  Workbench bench;
  bench.measure(cases, wanted, {{"id", "e"}, {"roofs", Json::array()}},
                {[&](std::size_t n, Stage stage) {
                   if (stage == Stage::prepare) ++prepared;
                   if (stage == Stage::measure && before[n] == 0) before[n] = prepared;
                 },
                 [](const Json& record) { CHECK(record.at("status") == "ok"); }});
  return before;
}

}  // namespace

TEST_CASE("a batch that takes long to prepare is measured with what is ready", "[run]") {
  CHECK(prepared_before_each(60) == std::vector<int>{3, 3, 3});
  CHECK(prepared_before_each(0) == std::vector<int>{1, 2, 3});
}
