// The ratio of new to base time, with its error.
// Samples of one process resemble each other, but processes differ by more than their samples do: memory
// placement, code addresses, other load on the machine (T. Mytkowicz et al., Producing wrong data without
// doing anything obviously wrong, ASPLOS 2009; T. Kalibera and R. Jones, Rigorous benchmarking in reasonable
// time, ISMM 2013). So each side is measured in several processes, and the process is the unit of the
// statistics, not the sample.
#pragma once

#include <cstdint>
#include <vector>

namespace cfdmark::compare {

using Samples = std::vector<double>;     // seconds per step, in order, of one process
using Processes = std::vector<Samples>;  // of one side

struct Ratio {
  double log = 0;                 // natural logarithm of new over base
  double standard_error = 0;      // of `log`
  double degrees_of_freedom = 0;  // less than 1: the error is unknown

  bool error_is_known() const { return degrees_of_freedom >= 1; }
  double ratio() const;
  // Returns the confidence interval of the ratio.
  struct Interval {
    double low, high;
  };
  Interval interval(double confidence = 0.95) const;
  // Returns the one-sided p-value of a ratio this high (p_below: this low) if the true ratio is
  // exp(log_ratio).
  double p_above(double log_ratio) const;
  double p_below(double log_ratio) const;
};

// Returns the time of a step in one of a side's processes: the lower quartile of its samples, or the median
// if the side has one process only. A disturbance only adds time, often to more than half of the samples, so
// the quartile varies less between processes than the median.
double step_time(Samples, std::size_t processes);

// How process n of one side is paired with process n of the other.
enum class Pairing {
  process,  // only the processes: the pair's ratio is that of their step times
  samples   // also sample k next to sample k: the pair's ratio is the median of the sample ratios
};

// Estimates the ratio from pairs: process n of one side ran next to process n of the other, so slow drift
// affects both. With Pairing::samples, faster drift does too. The estimate is the median over pairs. Its
// error comes from a hierarchical bootstrap, which draws pairs first, then samples within each process or
// within both together. With one process per side the error is that of the samples, and a shift of a whole
// process stays invisible. The same seed gives the same result.
//
// `base_again` is the base's second process of every round, or null. The base's time is then the geometric
// mean of both, which reduces the error of the ratio to 0.87 of it (sqrt(3/4)).
//
// Throws std::invalid_argument for a side without processes, a process without samples, or sides with
// different numbers of processes. With Pairing::samples paired processes must also have equal numbers of
// samples.
Ratio estimate_ratio(const Processes& base, const Processes& now, std::uint64_t seed,
                     const Processes* base_again = nullptr, Pairing = Pairing::process);

}  // namespace cfdmark::compare
