// An evaluator that draws from recorded samples instead of measuring. It compares and tests strategies
// without a device, and charges the recorded times to their budget.
#pragma once

#include <cstdint>
#include <vector>

#include "tuning/search.hpp"

namespace cfdmark::tuning {

enum class Draw {
  bootstrap,         // random recorded samples, with replacement (Efron, 1979)
  in_recorded_order  // recorded order, starting over at the end
};

class Simulation {
 public:
  // Takes one recorded evaluation per candidate. Deterministic for a given seed.
  Simulation(const std::vector<Evaluation>& recorded, std::uint64_t seed, Draw draw = Draw::bootstrap);

  // Implements Evaluator (evaluation.hpp). A measurement that does not fit into the remaining seconds uses
  // them up and yields nothing.
  std::vector<Evaluation> operator()(const std::vector<std::size_t>& candidates, int samples, double seconds);

 private:
  Evaluation trial(std::size_t candidate, int samples);

  const std::vector<Evaluation>& recorded_;
  Random random_;
  Draw draw_;
  std::vector<std::size_t> used_;  // samples drawn so far, by candidate
  std::vector<bool> set_up_;
};

}  // namespace cfdmark::tuning
