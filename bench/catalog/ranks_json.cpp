#include "bench/catalog/ranks_json.hpp"

#include <algorithm>

#include "kernels/core/statistics.hpp"
#include "kernels/ranks/process_rank.hpp"

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

// Messages and bytes that a process has sent in a solve.
struct Sent {
  double messages, exchange_bytes, largest_message, sum_bytes;
};

// Completes the facts and times of this process by those of the others.
void gather(RankFacts& facts, std::vector<std::vector<RankSeconds>>& solves) {
  Ranks& ranks = *process_rank();
  const std::size_t count = std::size_t(ranks.count()), self = std::size_t(ranks.rank());
  const Sent mine{facts.messages, facts.exchange_bytes, facts.largest_message, facts.sum_bytes};
  std::vector<Sent> of_all(count);
  ranks.gather("facts", &mine, sizeof mine, of_all.data());
  facts.messages = facts.exchange_bytes = facts.sum_bytes = 0;
  for (const Sent& sent : of_all) {
    facts.messages += sent.messages;
    facts.exchange_bytes += sent.exchange_bytes;
    facts.largest_message = std::max(facts.largest_message, sent.largest_message);
    facts.sum_bytes += sent.sum_bytes;
  }
  std::vector<RankSeconds> own, all(solves.size() * count);
  for (const auto& solve : solves) own.push_back(solve.at(self));
  ranks.gather("seconds", own.data(), own.size() * sizeof(RankSeconds), all.data());
  for (std::size_t n = 0; n < solves.size(); ++n)
    for (std::size_t rank = 0; rank < count; ++rank) solves[n][rank] = all[rank * solves.size() + n];
}

}  // namespace

Json ranks_json(RankFacts facts, std::vector<std::vector<RankSeconds>> solves) {
  if (process_rank()) gather(facts, solves);
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
