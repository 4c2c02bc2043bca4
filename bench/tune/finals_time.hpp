// What fresh processes take for finalists, by what the searches have seen, and which of them there is time
// for.
#pragma once

#include <vector>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

inline constexpr int confirming_processes = 2;

// What is to be measured on one grid in fresh processes.
struct Finals {
  std::size_t answer;
  std::vector<std::size_t> candidates;  // of its space
};

class FinalsTime {
 public:
  // `samples` of each candidate in a process, where there is time.
  FinalsTime(const std::vector<TuneAnswer>& answers, int samples) : answers_(answers), samples_(samples) {}

  // Seconds of one process, whose code is compiled by now: for as many samples as tell anything, and for all.
  double least_of(const Finals&) const;
  double most_of(const Finals&) const;
  // So many samples of each, in these seconds.
  int samples_within(const Finals&, double seconds) const;

  // Those that all processes have time for, the quickest first, and one in any case. Where it is short,
  // without the candidates that their search did not come to, which are still to be verified: then with fewer
  // than two there is nothing to compare.
  std::vector<Finals> in_time(const std::vector<Finals>& wanted, double seconds) const;

 private:
  double setup_of(const Finals&) const;
  double sample_of(const Finals&) const;
  Finals that_were_tried(const Finals&) const;

  const std::vector<TuneAnswer>& answers_;
  int samples_;
};

}  // namespace cfdmark::tuning
