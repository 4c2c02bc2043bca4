#include "bench/worker/workers_time.hpp"

#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

namespace cfdmark {
namespace {

WorkersTime at(std::initializer_list<std::pair<Stage, double>> seconds) {
  WorkersTime time;
  for (const auto& [stage, s] : seconds) time.at[std::size_t(stage)] = s;
  return time;
}

TEST_CASE("the time of a run is broken down by stage", "[run]") {
  WorkersTime time =
      at({{Stage::measure, 30}, {Stage::energy, 20}, {Stage::verify, 10}, {Stage::prepare, 5}});
  time.waiting = 80;  // 15 s belong to none of these
  CHECK_THAT(time_text(100, time, "reading and writing"),
             Mentions({"1:40", "30 % measuring", "20 % measuring energy", "10 % verifying", "5 % preparing",
                       "15 % ", "20 % reading and writing"}));
}

TEST_CASE("work that was cut off is listed by stage, and small parts are omitted", "[run]") {
  WorkersTime time = at({{Stage::measure, 59.9}, {Stage::compile, 0.1}});
  time.waiting = 100;
  time.lost = 40;
  time.ended[std::size_t(Stage::verify)] = 2;
  time.ended[std::size_t(Stage::prepare)] = 1;
  CHECK_THAT(
      time_text(100, time, "searching"),
      Mentions({"1:40", "60 % measuring", "40 % in work that was cut off (1 preparing, 2 verifying)"}) &&
          !ContainsSubstring("compiling"));
}

}  // namespace
}  // namespace cfdmark
