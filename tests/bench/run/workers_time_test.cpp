#include "bench/run/workers_time.hpp"

#include "tests/catch.hpp"

namespace cfdmark {
namespace {

WorkersTime at(std::initializer_list<std::pair<Stage, double>> seconds) {
  WorkersTime time;
  for (const auto& [stage, s] : seconds) time.at[std::size_t(stage)] = s;
  return time;
}

TEST_CASE("what a run's time went with is told in parts of the whole, the rest by name", "[run]") {
  WorkersTime time =
      at({{Stage::measure, 30}, {Stage::energy, 20}, {Stage::verify, 10}, {Stage::prepare, 5}});
  time.waiting = 80;  // 15 s are none of these
  CHECK(time_text(100, time, "reading and writing") ==
        "time: 1:40, 30 % measuring, 20 % measuring energy, 10 % verifying, 5 % preparing, "
        "15 % waiting for processes, 20 % reading and writing");
}

TEST_CASE("of processes that ended a run says what they were at, and parts too small are left out", "[run]") {
  WorkersTime time = at({{Stage::measure, 59.9}, {Stage::compile, 0.1}});
  time.waiting = 100;
  time.lost = 40;
  time.ended[std::size_t(Stage::verify)] = 2;
  time.ended[std::size_t(Stage::prepare)] = 1;
  CHECK(time_text(100, time, "searching") ==
        "time: 1:40, 60 % measuring, "
        "40 % with requests at which processes ended (1 preparing, 2 verifying)");
}

}  // namespace
}  // namespace cfdmark
