// What a worker is at, and for how long it was.
#pragma once

#include <array>
#include <string_view>

#include "bench/record/json.hpp"

namespace cfdmark {

// Preparing is all that is none of the others. In this order, for a supervisor may have a worker of another
// build.
enum class Stage { prepare, verify, measure, compile, energy };
inline constexpr std::array stages = {Stage::prepare, Stage::verify, Stage::measure, Stage::compile,
                                      Stage::energy};
std::string_view to_string(Stage);  // "preparing", ...

class StageClock {
 public:
  void enter(Stage);  // starts the clock if it stands still
  Json stop();        // seconds since it was started: {"preparing": 0.12, ...}

 private:
  void note();

  std::array<double, stages.size()> seconds_{};
  Stage stage_ = Stage::prepare;
  double since_ = -1;  // below 0: it stands still
};

}  // namespace cfdmark
