// The ledger of a search: what is known of each candidate, what it has cost, and what is left of the budget.
// Strategies ask through it; none of them keeps samples or time itself.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tuning/objective.hpp"
#include "tuning/random.hpp"
#include "tuning/search_space.hpp"

namespace cfdmark::tuning {

struct SearchOptions {
  double budget = std::numeric_limits<double>::infinity();  // seconds, set-up and measuring together
  std::uint64_t seed = 1;
  // Samples that settle a candidate: of 30, ranks 10 and 21 enclose the median with 95.7 % confidence.
  int samples = 30;
  std::vector<std::size_t> first = {};  // candidates that are tried before the others, behind the default
};

// How far a search was after one evaluation.
struct TracePoint {
  std::size_t samples = 0, candidates = 0;          // taken; tried so far
  double setup_seconds = 0, measuring_seconds = 0;  // spent so far
  std::size_t best = 0;                             // the candidate with the least median
};

class Search {
 public:
  Search(const SearchSpace& space, Objective objective, const SearchOptions& options);

  const SearchSpace& space() const { return space_; }
  const SearchOptions& options() const { return options_; }
  Random& random() { return random_; }

  // Takes `samples` more of each candidate that has not failed, in groups that are measured side by side.
  // Returns false once the budget is over; what had its turn before is known then.
  bool sample(const std::vector<std::size_t>& candidates, int samples);
  // Brings each candidate to `total` samples.
  bool sample_up_to(const std::vector<std::size_t>& candidates, int total);

  const Evaluation& operator[](std::size_t n) const { return evaluations_.at(n); }
  const std::vector<Evaluation>& evaluations() const { return evaluations_; }
  const std::vector<TracePoint>& trace() const { return trace_; }
  double spent() const { return setup_ + measuring_; }
  bool over() const { return over_; }
  // Of those candidates the ones with samples, the least median first; equal ones in the order of the space.
  std::vector<std::size_t> ranked(std::vector<std::size_t> candidates) const;
  std::vector<std::size_t> all() const;

 private:
  bool sample_group(const std::vector<std::size_t>& group, int samples);
  void note(std::size_t candidate, Evaluation&& trial);
  void add_trace_point();

  const SearchSpace& space_;
  Objective objective_;
  SearchOptions options_;
  Random random_;
  std::vector<Evaluation> evaluations_;
  std::vector<double> medians_;  // of candidates with samples
  std::vector<TracePoint> trace_;
  double setup_ = 0, measuring_ = 0;
  std::size_t samples_ = 0;
  bool over_ = false;
};

// Candidates that are measured side by side: more would make the interleaving no fairer, but more is lost
// when one of them crashes.
inline constexpr std::size_t side_by_side = 24;

}  // namespace cfdmark::tuning
