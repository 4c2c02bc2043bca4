// The search space of a kernel or solver on a grid: the valid configs of all its methods, and what was left
// out.
#pragma once

#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "tuning/search_space.hpp"

namespace cfdmark::tuning {

// What is tuned.
struct TuneSubject {
  std::vector<const Row*> methods;  // rows that differ in their method only
  Grid grid;
  Config question;  // question_space
  int device = 0;   // which of the methods' backend
};

struct TuneSpace {
  SearchSpace space;
  std::vector<Case> cases;     // of the candidates
  std::vector<Case> excluded;  // by a constraint, which `not_run` names
};

// Throws std::invalid_argument if nothing is left, with the constraint that left out the most.
TuneSpace tune_space(const TuneSubject&, std::size_t host_memory);

}  // namespace cfdmark::tuning
