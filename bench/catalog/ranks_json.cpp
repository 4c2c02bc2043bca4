#include "bench/catalog/ranks_json.hpp"

#include <algorithm>

#include "kernels/core/statistics.hpp"

namespace cfdmark {
namespace {

using Json = nlohmann::json;

// Returns the median of a number of each solve, by rank.
template <class Number>
Json medians(const std::vector<std::vector<RankSeconds>>& solves, const Number& number) {
  Json of_ranks = Json::array();
  for (std::size_t rank = 0; rank < solves.front().size(); ++rank) {
    std::vector<double> values;
    for (const auto& solve : solves) values.push_back(number(solve.at(rank)));
    of_ranks.push_back(median(std::move(values)));
  }
  return of_ranks;
}

}  // namespace

Json ranks_json(const RankFacts& facts, const std::vector<std::vector<RankSeconds>>& solves) {
  Json json = {
      {"count", facts.setup.count},
      {"joined_by", facts.joined_by},
      {"partition",
       {{"kind", facts.setup.partition},
        {"parts", facts.parts},
        {"cells", facts.cells},
        {"imbalance", facts.imbalance}}},
      {"exchange",
       {{"bytes_per_step", facts.exchange_bytes},
        {"messages_per_step", facts.messages},
        {"largest_message", facts.largest_message}}},
      {"sums", {{"order", "domain"}, {"per_step", facts.sums}, {"bytes_per_step", facts.sum_bytes}}}};
  if (facts.copies_timed) json["copies_timed"] = true;
  if (solves.empty()) return json;
  json["seconds"] = {
      {"work", medians(solves, [](const RankSeconds& s) { return s.busy - s.exchange - s.sums; })},
      {"exchange", medians(solves, [](const RankSeconds& s) { return s.exchange; })},
      {"sums", medians(solves, [](const RankSeconds& s) { return s.sums; })}};
  return json;
}

}  // namespace cfdmark
