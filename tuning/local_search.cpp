// Local search, first from the default and then from random candidates: similar block shapes tend to have
// similar times. Iterative best improvement with random restarts (Hoos and Stützle, Stochastic local search,
// 2005, chapter 1). All neighbours are measured interleaved, and the search moves to the best of them.
#include <algorithm>

#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

constexpr int restarts = 4;
constexpr int probe = 8;  // samples per candidate that decide a move
constexpr std::size_t finalists = 4;

// Moves to better neighbours until none is better.
void descend(Search& search, std::size_t at) {
  search.sample_up_to({at}, probe);
  while (!search.over() && !search[at].samples.empty()) {
    std::vector<std::size_t> around = search.space().neighbours(at);
    search.sample_up_to(around, probe);
    around.push_back(at);
    const std::size_t best = search.ranked(around).front();
    if (best == at) return;
    at = best;
  }
}

}  // namespace

void search_locally(Search& search) {
  descend(search, search.space().fallback());
  const std::vector<std::size_t> places = shuffled(search);
  for (std::size_t n = 1; n < places.size() && n <= restarts && !search.over(); ++n)
    descend(search, places[n]);
  std::vector<std::size_t> best = search.ranked(search.all());
  best.resize(std::min(best.size(), finalists));
  if (std::find(best.begin(), best.end(), search.space().fallback()) == best.end())
    best.push_back(search.space().fallback());
  search.sample_up_to(best, search.options().samples);
}

}  // namespace cfdmark::tuning
