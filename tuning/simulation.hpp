// An objective that measures nothing: it draws from what was recorded. Strategies are compared and tested
// with it without the device, at the exact cost that they would have had on it.
#pragma once

#include <cstdint>
#include <vector>

#include "tuning/search.hpp"

namespace cfdmark::tuning {

enum class Draw {
  bootstrap,         // each sample at random from the recorded ones, with replacement (Efron, 1979)
  in_recorded_order  // from the first on, and from the beginning again when they are used up
};

class Simulation {
 public:
  // `recorded` has an entry for each candidate of a search space. Deterministic given the seed.
  Simulation(const std::vector<Evaluation>& recorded, std::uint64_t seed, Draw draw = Draw::bootstrap);

  // As an Objective. `seconds` are kept to the last sample.
  std::vector<Evaluation> operator()(const std::vector<std::size_t>& candidates, int samples, double seconds);

 private:
  Evaluation trial(std::size_t candidate, int samples);

  const std::vector<Evaluation>& recorded_;
  Random random_;
  Draw draw_;
  std::vector<std::size_t> used_;  // samples drawn so far, of each candidate
  std::vector<bool> set_up_;
};

}  // namespace cfdmark::tuning
