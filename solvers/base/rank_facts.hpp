// Facts of a solve on several ranks.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kernels/core/rank_setup.hpp"

namespace cfdmark {

// Seconds of one rank in a solve. Its work is `busy` less the two others.
struct RankSeconds {
  double busy = 0;      // in the calls of the iteration
  double exchange = 0;  // exchanging ghosts, with waiting
  double sums = 0;      // gathering sums, with waiting
};

struct RankFacts {
  RankSetup setup;
  std::string joined_by;                // "threads"
  std::array<int, 3> parts = {};        // along x, y and z
  std::vector<double> cells;            // by rank
  double imbalance = 0;                 // most cells of a rank over the mean, less 1
  bool copies_timed = false;            // true: a solve copies the whole system to the parts and back
  std::vector<RankSeconds> of_a_solve;  // by rank, of the last solve
  // Sent by all ranks to others in the last solve.
  double messages = 0, exchange_bytes = 0, largest_message = 0;
  double sums = 0, sum_bytes = 0;
};

}  // namespace cfdmark
