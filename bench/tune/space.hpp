// The search space of a kernel or solver on a grid: the valid configs of all its methods, and the excluded
// ones.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "tuning/search_space.hpp"

namespace cfdmark::tuning {

// The target of a tune.
struct TuningTarget {
  std::vector<const Row*> methods;  // rows that differ only in their method
  Grid grid;
  Config workload;    // settings of the workload (workload_space)
  int device = 0;     // device index of the methods' backend
  double weight = 1;  // weight of this grid in a single answer
  // Layouts from elsewhere, confirmed together with the best if they are valid.
  std::vector<Candidate> beside = {};
};

struct TuneSpace {
  SearchSpace space;
  std::vector<Case> cases;     // by candidate
  std::vector<Case> excluded;  // excluded by the constraint in `not_run`
  std::size_t not_drawn = 0;   // combinations of values that were not considered
};

// Returns the search space. `also` is a candidate even if it is not in the lists of values. A method with
// more than `most` combinations of values is represented by `most` random ones, equal on every grid, and its
// default. Throws std::invalid_argument if no config is valid, with the most frequent constraint, or if
// `also` is not valid.
TuneSpace tune_space(const TuningTarget&, std::size_t host_memory,
                     const std::optional<Candidate>& also = std::nullopt,
                     std::size_t most = std::numeric_limits<std::size_t>::max());

// Returns the space reduced to these candidates and the default.
TuneSpace narrowed(const TuneSpace&, const std::vector<Candidate>&);

// Returns the indices of those candidates that the space has, in their order, without duplicates.
std::vector<std::size_t> places_in(const TuneSpace&, const std::vector<Candidate>&);

// Returns the default config of each method.
std::vector<Candidate> untuned(const TuningTarget&);

// Returns the cases with device code to compile ahead, in the order in which the searches reach them, because
// compiling may stop early. The first grid is ordered by `seed`, grid n by `seed` + n. Each candidate of the
// first grid is followed by the same one on all others, where fast ones are tried next. `spaces[n]` belongs
// to `subjects[n]`.
std::vector<Case> cases_to_compile(const std::deque<TuneSpace>& spaces,
                                   const std::vector<TuningTarget>& targets, std::uint64_t seed);

}  // namespace cfdmark::tuning
