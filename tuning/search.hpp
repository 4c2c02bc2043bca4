// Holds the state of a search: the evaluations of its candidates, their costs and the remaining budget.
// Strategies measure through it and keep no samples or times of their own.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tuning/evaluation.hpp"
#include "tuning/random.hpp"
#include "tuning/search_space.hpp"

namespace cfdmark::tuning {

struct SearchOptions {
  double budget = std::numeric_limits<double>::infinity();  // seconds of set-up and measuring
  std::uint64_t seed = 1;
  // Samples per candidate: of 30, ranks 10 and 21 enclose the median with 95.7 % confidence.
  int samples = 30;
  std::vector<std::size_t> first = {};  // candidates to try right after the default
};

// State of a search after one evaluation.
struct TracePoint {
  std::size_t samples = 0, candidates = 0;          // samples taken and candidates tried so far
  double setup_seconds = 0, measuring_seconds = 0;  // spent so far
  std::size_t best = 0;                             // candidate with the least median
};

class Search {
 public:
  Search(const SearchSpace& space, Evaluator objective, const SearchOptions& options);

  const SearchSpace& space() const { return space_; }
  const SearchOptions& options() const { return options_; }
  Random& random() { return random_; }

  // Takes `samples` more of each candidate that has not failed, in interleaved groups. Returns false once the
  // budget is used up; evaluations made before that are kept.
  bool sample(const std::vector<std::size_t>& candidates, int samples);
  // Takes samples until each candidate that has not failed has `total`. Returns as sample() does.
  bool sample_up_to(const std::vector<std::size_t>& candidates, int total);

  const Evaluation& operator[](std::size_t n) const { return evaluations_.at(n); }
  const std::vector<Evaluation>& evaluations() const { return evaluations_; }
  const std::vector<TracePoint>& trace() const { return trace_; }
  double spent() const { return setup_ + measuring_; }
  bool over() const { return over_; }
  // Returns the candidates with samples by increasing median; ties keep the order of the space.
  std::vector<std::size_t> ranked(std::vector<std::size_t> candidates) const;
  std::vector<std::size_t> all() const;

 private:
  bool sample_group(const std::vector<std::size_t>& group, int samples);
  void note(std::size_t candidate, Evaluation&& trial);
  void add_trace_point();

  const SearchSpace& space_;
  Evaluator objective_;
  SearchOptions options_;
  Random random_;
  std::vector<Evaluation> evaluations_;
  std::vector<double> medians_;  // by candidate; 0 without samples
  std::vector<TracePoint> trace_;
  double setup_ = 0, measuring_ = 0;
  std::size_t samples_ = 0;
  bool over_ = false;
};

// Candidates measured interleaved in one group. Larger groups are no fairer, and lose more when one crashes.
inline constexpr std::size_t side_by_side = 24;

}  // namespace cfdmark::tuning
