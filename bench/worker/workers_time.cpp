#include "bench/worker/workers_time.hpp"

#include <fmt/format.h>

#include "bench/text/duration.hpp"

namespace cfdmark {

std::string time_text(double all, const WorkersTime& workers, std::string_view rest) {
  constexpr double least_share = 0.005;
  double listed = 0;
  std::string text = fmt::format("time: {}", clock_text(all));
  const auto part = [&](std::string_view what, double seconds) {
    if (seconds >= least_share * all) text += fmt::format(", {:.0f} % {}", 100 * seconds / all, what);
  };
  for (const Stage stage : {Stage::measure, Stage::energy, Stage::verify, Stage::prepare, Stage::compile}) {
    const double seconds = workers.at[std::size_t(stage)];
    part(to_string(stage), seconds);
    listed += seconds;
  }
  part("waiting for processes", workers.waiting - listed - workers.lost);
  std::string ended;
  for (const Stage stage : stages)
    if (const int count = workers.ended[std::size_t(stage)]; count > 0)
      ended += fmt::format("{}{} {}", ended.empty() ? "" : ", ", count, to_string(stage));
  part(fmt::format("in work that was cut off ({})", ended), workers.lost);
  part(rest, all - workers.waiting);
  return text;
}

}  // namespace cfdmark
