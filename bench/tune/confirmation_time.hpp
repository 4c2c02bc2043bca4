// Estimates the time of confirming processes from the searches, and selects the grids that fit into the
// budget.
#pragma once

#include <vector>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

inline constexpr int confirming_processes = 2;

// Candidates to confirm on one grid.
struct Finalists {
  std::size_t answer;
  std::vector<std::size_t> candidates;  // indices in its space
};

class ConfirmationTime {
 public:
  // Takes the number of samples per candidate and process, if time allows.
  ConfirmationTime(const std::vector<TuneAnswer>& answers, int samples)
      : answers_(answers), samples_(samples) {}

  // Return the seconds of one process whose code is compiled, with the fewest useful samples and with all
  // samples.
  double least_of(const Finalists&) const;
  double most_of(const Finalists&) const;
  // Returns the samples per candidate that fit into `seconds`.
  int samples_within(const Finalists&, double seconds) const;

  // Returns the grids that all processes have time for, shortest first, and at least one. If time is short,
  // omits candidates that the search did not reach, since these need verification. Grids with fewer than two
  // candidates left are omitted.
  std::vector<Finalists> in_time(const std::vector<Finalists>& wanted, double seconds) const;

 private:
  double setup_of(const Finalists&) const;
  double sample_of(const Finalists&) const;
  Finalists that_were_tried(const Finalists&) const;

  const std::vector<TuneAnswer>& answers_;
  int samples_;
};

}  // namespace cfdmark::tuning
