// A simulated machine as noisy as real ones, with known true times.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "bench/compare/ratio.hpp"

// All values are fractions of the time. The defaults are slightly worse than processes of cache-sized kernels
// on an idle machine of two cores.
struct Noise {
  double sample = 0.004;      // from sample to sample, normal
  double tail = 0.02;         // of one sample in ten: always late, exponential
  double process = 0.008;     // from process to process, normal: memory placement
  double second_mode = 0.02;  // one process in six is slower by this, e.g. from another page size
  double burst = 0.10;        // mean disturbance of one process in twelve, exponential
  double drift = 0.05;        // slow swing of the clock
};

class NoisyMachine {
 public:
  explicit NoisyMachine(std::uint64_t seed, const Noise& noise = {}) : random_(seed), noise_(noise) {}

  // Returns the samples of a process that runs at `time`, counted in processes.
  cfdmark::compare::Samples process(double seconds, double time, int n = 10) {
    double shift =
        noise_.drift * std::sin(2 * std::numbers::pi * time / 37) + noise_.process * normal_(random_);
    if (one_in(6)) shift += noise_.second_mode;
    if (one_in(12)) shift += noise_.burst * late_(random_);
    cfdmark::compare::Samples samples;
    for (int k = 0; k < n; ++k)
      samples.push_back(seconds * std::exp(shift + noise_.sample * normal_(random_) +
                                           (one_in(10) ? noise_.tail * late_(random_) : 0)));
    return samples;
  }

 private:
  bool one_in(int n) { return random_() % std::uint64_t(n) == 0; }

  std::mt19937_64 random_;
  Noise noise_;
  std::normal_distribution<> normal_;
  std::exponential_distribution<> late_;
};
