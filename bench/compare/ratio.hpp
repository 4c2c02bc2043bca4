// How much slower one side is than the other, and how sure that is.
//
// Samples of one process resemble each other, and processes differ by more than their samples do: where
// memory came to lie, at which addresses code was loaded, what else the machine did (T. Mytkowicz et al.,
// Producing wrong data without doing anything obviously wrong, ASPLOS 2009; T. Kalibera and R. Jones,
// Rigorous benchmarking in reasonable time, ISMM 2013). So a side is measured in several processes, and
// processes, not samples, are what is counted.
#pragma once

#include <cstdint>
#include <vector>

namespace cfdmark::compare {

using Samples = std::vector<double>;     // seconds a step, in order, of one process
using Processes = std::vector<Samples>;  // of one side

struct Ratio {
  double log = 0;                 // natural logarithm of new over base
  double standard_error = 0;      // of it
  double degrees_of_freedom = 0;  // less than 1: nothing is known about the error

  bool error_is_known() const { return degrees_of_freedom >= 1; }
  double ratio() const;
  // The interval of the ratio that holds the true one with this probability.
  struct Interval {
    double low, high;
  };
  Interval interval(double confidence = 0.95) const;
  // How probable so high a ratio is where the true one is exp(log_ratio).
  double p_above(double log_ratio) const;
  double p_below(double log_ratio) const;
};

// The time of a step in one of a side's processes: the lower quartile of its samples. What disturbs a machine
// only ever adds time, often to more than half of a process's samples: the quartile's error was 0.6 of the
// median's on two cores of a lent machine, the same slowdown found in a third of the rounds. Where a side has
// one process only, it is the median.
double step_time(Samples, std::size_t processes);

// What of process n of one side was beside process n of the other.
enum class Beside {
  process,  // the whole: the two times of a step make the pair's ratio
  samples   // sample k beside sample k: the pair's ratio is the median of theirs
};

// Process n of one side ran beside process n of the other, so that slow drift is in both; where sample k ran
// beside sample k, faster drift too. Each pair gives a ratio; the estimate is the median of these, and its
// error a hierarchical bootstrap's: pairs are drawn first, then samples inside each process, or inside both
// together. One process a side: the error is that of the samples alone, and a shift of the whole process
// cannot be seen. The same seed gives the same result.
//
// `base_again`: the base's second process of every round, or null. The base's time is then the geometric mean
// of both: the ratio has 0.87 of the error, and has nothing to do with what the two differ by.
// Throws std::invalid_argument if a process has no samples or the sides have not the same number of them, or
// samples beside each other are not as many.
Ratio estimate_ratio(const Processes& base, const Processes& now, std::uint64_t seed,
                     const Processes* base_again = nullptr, Beside = Beside::process);

}  // namespace cfdmark::compare
