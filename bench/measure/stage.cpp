#include "bench/measure/stage.hpp"

#include "bench/text/seconds_now.hpp"

namespace cfdmark {

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::prepare: return "preparing";
    case Stage::verify: return "verifying";
    case Stage::compile: return "compiling";
    case Stage::energy: return "measuring energy";
    case Stage::measure: break;
  }
  return "measuring";
}

void StageClock::enter(Stage stage) {
  note();
  stage_ = stage;
}

Json StageClock::stop() {
  note();
  Json seconds;
  for (const Stage stage : stages) seconds[std::string(to_string(stage))] = seconds_[std::size_t(stage)];
  *this = {};
  return seconds;
}

void StageClock::note() {
  const double now = seconds_now();
  if (since_ >= 0) seconds_[std::size_t(stage_)] += now - since_;
  since_ = now;
}

}  // namespace cfdmark
