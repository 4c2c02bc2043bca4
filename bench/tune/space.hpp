// The search space of a kernel or solver on a grid: the valid configs of all its methods, and what was left
// out.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "tuning/search_space.hpp"

namespace cfdmark::tuning {

// What is tuned.
struct TuneSubject {
  std::vector<const Row*> methods;  // rows that differ in their method only
  Grid grid;
  Config question;    // question_space
  int device = 0;     // which of the methods' backend
  double weight = 1;  // of this grid in a single answer for several
  // Layouts from elsewhere, which are measured beside the best where they can run.
  std::vector<Candidate> beside = {};
};

struct TuneSpace {
  SearchSpace space;
  std::vector<Case> cases;     // of the candidates
  std::vector<Case> excluded;  // by a constraint, which `not_run` names
  std::size_t not_drawn = 0;   // combinations of values that were not even looked at
};

// `also` is a candidate too, whatever lists of values the settings have. Throws std::invalid_argument if
// nothing is left, with the constraint that left out the most; or if `also` cannot run there. Of a method
// with more than `most` combinations of values so many are drawn at random, the same on every grid, and its
// default is added.
TuneSpace tune_space(const TuneSubject&, std::size_t host_memory,
                     const std::optional<Candidate>& also = std::nullopt,
                     std::size_t most = std::numeric_limits<std::size_t>::max());

// The same space with these candidates alone, where it has them, and the default.
TuneSpace narrowed(const TuneSpace&, const std::vector<Candidate>&);

// Of candidates, in their order, where the space has them, each once.
std::vector<std::size_t> places_in(const TuneSpace&, const std::vector<Candidate>&);

// Each method as it runs untuned.
std::vector<Candidate> untuned(const TuneSubject&);

// Of the grids of a tune the cases that have device code, for compiling ahead, in the order in which searches
// come to them, since time may end it: of the first grid by `seed`, and each that it tries on all others too,
// as what is fast there is tried next; of the others by the seeds that follow. `spaces` are of `subjects`.
std::vector<Case> cases_to_compile(const std::deque<TuneSpace>& spaces,
                                   const std::vector<TuneSubject>& subjects, std::uint64_t seed);

}  // namespace cfdmark::tuning
