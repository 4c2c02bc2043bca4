#include "tuning/strategy.hpp"

#include <algorithm>
#include <stdexcept>

namespace cfdmark::tuning {

const std::vector<Strategy>& strategies() {
  static const std::vector<Strategy> table = {
      {"racing", "few samples of every config, more of the fastest", search_by_racing},
      {"exhaustive", "all samples of every config", search_exhaustively},
      {"random", "all samples of a quarter of the configs, or as many as the budget allows",
       search_at_random},
      {"local", "best improvement from the default, then from random configs", search_locally},
  };
  return table;
}

const Strategy& find_strategy(const std::string& name) {
  std::string names;
  for (const Strategy& s : strategies()) {
    if (s.name == name) return s;
    names += (names.empty() ? "" : ", ") + s.name;
  }
  throw std::invalid_argument("--strategy " + name + ": unknown strategy; expected one of " + names);
}

std::vector<std::size_t> shuffled(Search& search) {
  std::vector<std::size_t> order = in_random_order(search.space().size(), search.random());
  const auto bring_forward = [&](std::size_t candidate) {
    const auto place = std::find(order.begin(), order.end(), candidate);
    std::rotate(order.begin(), place, place + 1);
  };
  const std::vector<std::size_t>& first = search.options().first;
  std::for_each(first.rbegin(), first.rend(), bring_forward);
  bring_forward(search.space().fallback());
  return order;
}

}  // namespace cfdmark::tuning
