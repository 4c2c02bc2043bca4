// Synthetic recorded spaces with known best and chosen noise.
#pragma once

#include <cmath>
#include <random>

#include "kernels/core/statistics.hpp"
#include "tuning/selection.hpp"
#include "tuning/simulation.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {

struct InventedSpace {
  SearchSpace space;
  std::vector<Evaluation> recorded;

  double median_of(std::size_t n) const { return median(recorded[n].samples); }
  std::size_t best() const {
    std::size_t least = space.size();
    for (std::size_t n = 0; n < space.size(); ++n)
      if (!recorded[n].samples.empty() && (least == space.size() || median_of(n) < median_of(least)))
        least = n;
    return least;
  }
};

// Returns block_x by block_y shapes of one method; the first is the default.
inline SearchSpace shapes(const std::vector<int>& xs, const std::vector<int>& ys,
                          const std::string& method = "plain") {
  std::vector<Candidate> candidates;
  for (const int x : xs)
    for (const int y : ys) candidates.push_back({method, {{"block_x", x}, {"block_y", y}}});
  return {std::move(candidates), 0};
}

// Noise of a sample: relative size of the normal noise, and probability of a spike of up to three times the
// time.
struct Noise {
  double size = 0.01, spikes = 0;
};

template <class Random>
double noisy(double time, const Noise& noise, Random& random) {
  std::normal_distribution<double> normal(0, noise.size);
  std::uniform_real_distribution<double> uniform(0, 1);
  const double spike = uniform(random) < noise.spikes ? 1 + 2 * uniform(random) : 1;
  return time * std::max(0.1, 1 + normal(random)) * spike;
}

// Returns a space with 30 recorded samples per candidate; `time_of(n)` is the true time of candidate n.
template <class TimeOf>
InventedSpace recorded_space(SearchSpace space, const Noise& noise, unsigned seed, const TimeOf& time_of) {
  std::mt19937 random(seed);
  std::vector<Evaluation> recorded(space.size());
  for (std::size_t n = 0; n < space.size(); ++n) {
    for (int k = 0; k < 30; ++k) recorded[n].samples.push_back(noisy(time_of(n), noise, random));
    recorded[n].status = TrialStatus::ok;
    recorded[n].setup_seconds = 0.1;
    recorded[n].measuring_seconds = 30 * time_of(n);
  }
  return {std::move(space), std::move(recorded)};
}

struct Replay {
  Selection choice;
  double measuring_seconds, spent;
};

inline Replay replay(const InventedSpace& s, const std::string& strategy, SearchOptions options = {},
                     Draw draw = Draw::bootstrap) {
  Search search(s.space, Simulation(s.recorded, options.seed ^ 0x5eed, draw), options);
  find_strategy(strategy).run(search);
  double measuring = 0;
  for (const Evaluation& e : search.evaluations()) measuring += e.measuring_seconds;
  return {choose(s.space, search.evaluations()).value(), measuring, search.spent()};
}

// Returns how many of 100 seeded races end within 2 % of the recorded best at no more than a quarter of the
// measuring time of the exhaustive search.
inline int races_won(const InventedSpace& s) {
  double all = 0;
  for (const Evaluation& r : s.recorded)
    if (!r.samples.empty()) all += r.measuring_seconds;
  int won = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SearchOptions options;
    options.seed = seed;
    const Replay r = replay(s, "racing", options);
    won += s.median_of(r.choice.winner) <= 1.02 * s.median_of(s.best()) && r.measuring_seconds <= all / 4;
  }
  return won;
}

}  // namespace cfdmark::tuning
