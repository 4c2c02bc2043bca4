// All start with a few samples, and few go on. Each round drops what is surely slower than the leader, as
// races do (Maron and Moore, Hoeffding races, 1994; Birattari and others, A racing algorithm for configuring
// metaheuristics, 2002), and then keeps no more of the fastest than the round's share, as successive halving
// does (Jamieson and Talwalkar, Non-stochastic best arm identification, 2016): so the cost is bounded even
// where everything is as fast as everything else.
#include <algorithm>
#include <iterator>

#include "tuning/selection.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

// Samples of those that take part in a round, altogether, and the share of all candidates that may. A
// candidate whose samples hold one outlier must survive: the median of three does. With these shares and
// thirty samples to settle a candidate, a race of 21 candidates or more costs less than a quarter of
// measuring all. Where that leaves time, the last round takes all thirty.
struct Round {
  int samples;
  std::size_t one_in;
};
constexpr Round opening = {3, 1};
constexpr Round rounds[] = {{5, 2}, {10, 6}, {23, 18}};
constexpr std::size_t fewest = 2;
// Of the budget: when it is short, some candidates never start, so that those that did can finish.
constexpr double share_of_opening = 0.6;
// What a candidate costs is not known before some were tried, and they may be as slow as a solver.
constexpr std::size_t first_group = 8;

// How many more candidates there is time to open, judged by the `opened` ones; no more than one group. The
// default, the first of all, is alone: others of its group might take all the time to compile, and an answer
// can be told of the default if of no other.
std::size_t affordable(const Search& search, std::size_t opened) {
  if (opened == 0) return 1;
  if (opened == 1) return first_group - 1;
  const double left = share_of_opening * search.options().budget - search.spent();
  return std::size_t(std::clamp(left / search.spent() * double(opened), 0.0, double(side_by_side)));
}

void open(Search& search) {
  const std::vector<std::size_t> order = shuffled(search);
  auto next = order.begin();
  while (next != order.end() && !search.over()) {
    const auto opened = std::size_t(next - order.begin()), left = std::size_t(order.end() - next);
    const auto end = next + std::ptrdiff_t(std::min(left, affordable(search, opened)));
    if (end == next) return;
    search.sample({next, end}, opening.samples);
    next = end;
  }
}

// Those of `field` that may go on: not surely slower than the fastest, and among the fastest.
std::vector<std::size_t> qualify(const Search& search, const std::vector<std::size_t>& field,
                                 std::size_t places) {
  std::vector<std::size_t> ranked = search.ranked(field);
  if (ranked.empty()) return ranked;
  const std::vector<bool> slower = surely_slower(search.evaluations(), ranked.front());
  std::erase_if(ranked, [&](std::size_t n) { return slower[n]; });
  ranked.resize(std::min(ranked.size(), places));
  return ranked;
}

double seconds_per_sample(const Evaluation& e) {
  return e.samples.empty() ? 0 : e.measuring_seconds / double(e.samples.size());
}

// Samples that the runners of the last round are brought to: more than its own where less than a quarter of
// measuring all has been spent.
int last_samples(const Search& search, const std::vector<std::size_t>& runners, const Round& last) {
  const int enough = search.options().samples;
  double left = 0, more = 0;
  for (const Evaluation& e : search.evaluations())
    left += seconds_per_sample(e) * enough / 4 - e.measuring_seconds;
  for (const std::size_t n : runners) {
    const Evaluation& e = search[n];
    left -= seconds_per_sample(e) * std::max(last.samples - int(e.samples.size()), 0);
    more += seconds_per_sample(e);
  }
  const double extra = more > 0 ? std::clamp(left / more, 0.0, double(enough)) : 0;
  return std::min(last.samples + int(extra), enough);
}

}  // namespace

void search_by_racing(Search& search) {
  open(search);
  const std::size_t fallback = search.space().fallback();
  std::vector<std::size_t> field = search.ranked(search.all());
  const std::size_t started = field.size();
  for (const Round& round : rounds) {
    if (search.over()) return;
    field = qualify(search, field, std::max(fewest, started / round.one_in));
    // The default goes the whole way: without it there is no gain to tell.
    std::vector<std::size_t> runners = field;
    if (std::find(field.begin(), field.end(), fallback) == field.end()) runners.push_back(fallback);
    const bool last = &round == std::end(rounds) - 1;
    const int samples = last ? last_samples(search, runners, round) : round.samples;
    search.sample_up_to(runners, std::min(samples, search.options().samples));
  }
}

}  // namespace cfdmark::tuning
