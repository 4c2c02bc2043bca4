// Downhill along the parameters, from the default and then from random places: block shapes that are alike
// tend to be alike in speed. Iterative best improvement with random restarts (Hoos and Stützle, Stochastic
// local search, 2005, chapter 1): all neighbours are measured side by side, and the best of them is the next
// place.
#include <algorithm>

#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

constexpr int restarts = 4;
constexpr int probe = 8;  // samples that decide a step
constexpr std::size_t finalists = 4;

// To the bottom of the valley that `at` lies in.
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
