// The ways to search. Adding one: a file with a function, and a line in strategy.cpp.
#pragma once

#include <string>
#include <vector>

#include "tuning/search.hpp"

namespace cfdmark::tuning {

struct Strategy {
  std::string name;
  std::string summary;   // one line for --help
  void (*run)(Search&);  // asks until it is done or the budget is over
};

// The first is the default.
const std::vector<Strategy>& strategies();
// Throws std::invalid_argument naming those that there are.
const Strategy& find_strategy(const std::string& name);

void search_exhaustively(Search&);
void search_at_random(Search&);
void search_locally(Search&);
void search_by_racing(Search&);

// The default first, then those that are to be tried first, the others in random order: when the budget ends
// early, what was tried is a fair sample.
std::vector<std::size_t> shuffled(Search&);

}  // namespace cfdmark::tuning
