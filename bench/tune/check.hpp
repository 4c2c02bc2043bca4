// Compares tuned configs with the best and with the default, also at sizes that were not tuned.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

// Largest accepted ratio of times: tuned to best, tuned to default, and default to the best that makes as
// many steps per run.
inline constexpr double most_behind_best = 1.05, most_behind_default = 1.01,
                        most_default_behind_its_kind = 1.10;

// Results at one size from confirming processes, in seconds per step.
struct CheckedSize {
  Grid grid;
  // `best` has the least time of all. `best_of_kind` has the least time of those that make one step per run,
  // or several, like the default.
  Candidate best, best_of_kind, tuned, fallback;
  double best_seconds = 0, best_of_kind_seconds = 0, tuned_seconds = 0, default_seconds = 0;
  Gain behind_best;     // tuned time over best time
  Gain behind_default;  // tuned time over default time

  double default_behind_its_kind() const { return default_seconds / best_of_kind_seconds; }
  bool holds() const {
    return !is_behind(behind_best, most_behind_best) && !is_behind(behind_default, most_behind_default);
  }
  // Returns true if the ratio exceeds `most` and its interval, if it has one, excludes 1.
  static bool is_behind(const Gain& times_as_long, double most) {
    return times_as_long.value > most && times_as_long.low.value_or(times_as_long.value) > 1;
  }
};

// Returns nothing if the tuned config or the default has no time in the confirming processes. The answer is
// from a tune with `each_alone`, and its `beside` holds the tuned config (jobs.hpp).
std::optional<CheckedSize> checked_size(const TuneAnswer&);
// Returns the reason why checked_size() returns nothing.
std::string why_not_known(const TuneAnswer&);

}  // namespace cfdmark::tuning
