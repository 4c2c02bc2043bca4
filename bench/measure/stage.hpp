// The stages of a worker, with the time spent in each.
#pragma once

#include <array>
#include <string_view>

#include "bench/text/json.hpp"

namespace cfdmark {

// `prepare` includes everything that is not another stage. The order must not change, since the worker may be
// another build.
enum class Stage { prepare, verify, measure, compile, energy };
inline constexpr std::array stages = {Stage::prepare, Stage::verify, Stage::measure, Stage::compile,
                                      Stage::energy};
std::string_view to_string(Stage);  // "preparing", ...

class StageClock {
 public:
  void enter(Stage);  // starts the clock if it is stopped
  Json stop();        // seconds since the start: {"preparing": 0.12, ...}

 private:
  void note();

  std::array<double, stages.size()> seconds_{};
  Stage stage_ = Stage::prepare;
  double since_ = -1;  // negative: stopped
};

}  // namespace cfdmark
