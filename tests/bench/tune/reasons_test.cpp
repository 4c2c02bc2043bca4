// The sentence on how a winner differs from the default.
#include "bench/tune/reasons.hpp"

#include <cstdlib>

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

// Returns the numbers of a sentence, in order.
std::vector<double> numbers_in(const std::string& sentence) {
  std::vector<double> numbers;
  for (const char* at = sentence.c_str(); *at;) {
    char* end = nullptr;
    const double number = *at >= '0' && *at <= '9' ? std::strtod(at, &end) : 0;
    if (end) numbers.push_back(number);
    at = end ? end : at + 1;
  }
  return numbers;
}
using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("a reason names the recorded differences, of the function with the most registers",
          "[tune][reasons]") {
  // 450 blocks, 2 resident on each of 100 multiprocessors: 2.25 waves, which take as long as 3. 200 blocks:
  // one wave.
  CHECK(numbers_in(reasons(record(500, 0.9, 1, 40, 450), record(1000, 0.8, 2, 56, 200), 100)) ==
        Numbers{0.5, 90, 80, 1, 2, 2.25, 25, 1, 0, 40, 56});
  const std::string of_registers =
      reasons(record(1000, 0.9, 1, 40, 450), record(1000, 0.89, 1, 56, 450), 100);
  CHECK(numbers_in(of_registers) == Numbers{40, 56});
  CHECK_THAT(of_registers, ContainsSubstring("registers"));
}

TEST_CASE("equal or unknown facts are no reason", "[tune][reasons]") {
  const Json same = record(1000, 0.9, 1, 40, 450);
  CHECK(reasons(same, same, 100).empty());
  CHECK(reasons(Json(), same, 100).empty());
  CHECK(reasons(record(1000, 0.9, 1, 40, 450), record(1000, 0.9, 1, 40, 200), 0).empty());
  CHECK(reasons({{"cost", {{"bytes", 1}}}}, {{"status", "ok"}}, 100).empty());
}
