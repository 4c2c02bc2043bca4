// The sentence on how a winner differs from the default.
#include "bench/tune/reasons.hpp"

#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

Json record(double bytes, double roof_fraction, int launches, int registers, int blocks) {
  return {{"cost", {{"bytes", bytes}}},
          {"rate", {{"roof_fraction", roof_fraction}}},
          {"resources",
           {{"launches", launches},
            {"kernels",
             {{{"registers", 16}, {"blocks", 1}, {"resident_blocks", 1}},
              {{"registers", registers}, {"blocks", blocks}, {"resident_blocks", 2}}}}}}};
}

}  // namespace

TEST_CASE("a reason names the recorded differences, of the function with the most registers",
          "[tune][reasons]") {
  // 450 blocks, 2 resident on each of 100 multiprocessors: 2.25 waves, which take as long as 3. 200 blocks:
  // one wave.
  CHECK(
      reasons(record(500, 0.9, 1, 40, 450), record(1000, 0.8, 2, 56, 200), 100) ==
      "It moves 0.50 times the default's bytes, reaches 90 % of the roof for 80 %, takes 1 launch for 2, "
      "runs 2.25 waves of blocks with 25 % idle at the end, for 1 with 0 % and has 40 registers a thread for "
      "56.");
  CHECK(reasons(record(1000, 0.9, 1, 40, 450), record(1000, 0.89, 1, 56, 450), 100) ==
        "It has 40 registers a thread for 56.");
}

TEST_CASE("equal or unknown facts are no reason", "[tune][reasons]") {
  const Json same = record(1000, 0.9, 1, 40, 450);
  CHECK(reasons(same, same, 100).empty());
  CHECK(reasons(Json(), same, 100).empty());
  CHECK(reasons(record(1000, 0.9, 1, 40, 450), record(1000, 0.9, 1, 40, 200), 0).empty());
  CHECK(reasons({{"cost", {{"bytes", 1}}}}, {{"status", "ok"}}, 100).empty());
}
