// Racing: all candidates start with a few samples, and few continue. Each round drops candidates that are
// significantly slower than the leader (Maron and Moore, Hoeffding races, 1994; Birattari and others, A
// racing algorithm for configuring metaheuristics, 2002). It then keeps at most the round's share of the
// fastest, as successive halving does (Jamieson and Talwalkar, Non-stochastic best arm identification, 2016).
// The share bounds the cost even if all candidates are equally fast.
#include <algorithm>
#include <iterator>

#include "tuning/selection.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

// Total samples of each candidate in a round, and the share of all candidates that may enter it. Three
// samples first, because the median of three survives one outlier. With these shares and 30 samples per
// candidate, a race of 21 or more candidates costs less than a quarter of the exhaustive search. If time
// remains within that quarter, the last round takes up to 30 samples.
struct Round {
  int samples;
  std::size_t one_in;
};
constexpr Round opening = {3, 1};
constexpr Round rounds[] = {{5, 2}, {10, 6}, {23, 18}};
constexpr std::size_t fewest = 2;
// Share of the budget for the opening. With a short budget some candidates never start, so that the others
// can finish.
constexpr double share_of_opening = 0.6;
// Size of the first group: the cost of a candidate is unknown until some were measured.
constexpr std::size_t first_group = 8;

// Returns how many more candidates there is time to open, at most one group, estimated from the `opened`
// ones. The default is opened alone: compiling others could use up the budget, and the default is the
// fallback answer.
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

// Returns the fastest candidates of `field` that are not significantly slower than the leader, at most
// `places`.
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

// Returns the total samples of the last round: more than its own number if less than a quarter of the
// exhaustive cost was spent.
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
    // The default takes part in every round, because the gain is measured against it.
    std::vector<std::size_t> runners = field;
    if (std::find(field.begin(), field.end(), fallback) == field.end()) runners.push_back(fallback);
    const bool last = &round == std::end(rounds) - 1;
    const int samples = last ? last_samples(search, runners, round) : round.samples;
    search.sample_up_to(runners, std::min(samples, search.options().samples));
  }
}

}  // namespace cfdmark::tuning
