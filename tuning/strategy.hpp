// Search strategies: the order in which a tuner tries candidates. A new one needs a file with its function
// and a line in strategy.cpp.
#pragma once

#include <string>
#include <vector>

#include "tuning/search.hpp"

namespace cfdmark::tuning {

struct Strategy {
  std::string name;
  std::string summary;   // one line for --help
  void (*run)(Search&);  // runs until done or out of budget
};

// Returns all strategies; the first is the default.
const std::vector<Strategy>& strategies();
// Throws std::invalid_argument that lists the known strategies.
const Strategy& find_strategy(const std::string& name);

void search_exhaustively(Search&);
void search_at_random(Search&);
void search_locally(Search&);
void search_by_racing(Search&);

// Returns the default, then SearchOptions::first, then the others in random order. If the budget ends early,
// those measured of the others are a random sample.
std::vector<std::size_t> shuffled(Search&);

}  // namespace cfdmark::tuning
