// How far what was tuned is behind the best, and behind the default, at sizes that it need not have been
// tuned on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

// Of the time of another config at most so many times as much is held to be right.
inline constexpr double most_behind_best = 1.05, most_behind_default = 1.01,
                        most_default_behind_its_kind = 1.10;

// One size, in fresh processes: seconds a step.
struct CheckedSize {
  Grid grid;
  // `best`: the least time of all that was measured; `best_of_kind`: of those that make as many steps at once
  // as the default, which of a kernel is one.
  Candidate best, best_of_kind, tuned, fallback;
  double best_seconds = 0, best_of_kind_seconds = 0, tuned_seconds = 0, default_seconds = 0;
  Gain behind_best;     // the tuned config's time over the best one's
  Gain behind_default;  // and over the default's

  double default_behind_its_kind() const { return default_seconds / best_of_kind_seconds; }
  bool holds() const {
    return !is_behind(behind_best, most_behind_best) && !is_behind(behind_default, most_behind_default);
  }
  // By more than so many times as long, and surely: an interval that reaches to 1 tells of no difference.
  static bool is_behind(const Gain& times_as_long, double most) {
    return times_as_long.value > most && times_as_long.low.value_or(times_as_long.value) > 1;
  }
};

// None where a process did not tell the times of the tuned config and of the default. The answer is of a tune
// with each grid for itself, and `beside` holds the tuned config (jobs.hpp).
std::optional<CheckedSize> checked_size(const TuneAnswer&);
// Why it is none.
std::string why_not_known(const TuneAnswer&);

}  // namespace cfdmark::tuning
