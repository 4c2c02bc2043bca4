#include "bench/catalog/rank_details_json.hpp"

#include "kernels/core/statistics.hpp"
#include "kernels/ranks/process_rank.hpp"

namespace cfdmark {

namespace {

// Returns the details of all ranks, of which this process has its own.
std::vector<std::vector<RankDetail>> gathered(const std::vector<std::vector<RankDetail>>& solves) {
  const std::size_t count = std::size_t(process_rank()->count());
  std::vector<RankDetail> own, all(solves.size() * count);
  for (const auto& solve : solves) own.push_back(solve.front());
  process_rank()->gather("details", own.data(), own.size() * sizeof(RankDetail), all.data());
  std::vector<std::vector<RankDetail>> of_all(solves.size());
  for (std::size_t n = 0; n < solves.size(); ++n)
    for (std::size_t rank = 0; rank < count; ++rank) of_all[n].push_back(all[rank * solves.size() + n]);
  return of_all;
}

}  // namespace

void add_details(nlohmann::json& ranks, std::vector<std::vector<RankDetail>> solves) {
  if (process_rank()) solves = gathered(solves);
  if (solves.empty() || solves.front().size() != ranks.at("count").get<std::size_t>()) return;
  const auto medians = [&](double RankDetail::*part) {
    nlohmann::json of_ranks = nlohmann::json::array();
    for (std::size_t rank = 0; rank < solves.front().size(); ++rank) {
      std::vector<double> values;
      for (const auto& solve : solves) values.push_back(solve.at(rank).*part);
      of_ranks.push_back(median(std::move(values)));
    }
    return of_ranks;
  };
  ranks["detail"] = {{"redundant", medians(&RankDetail::redundant)},
                     {"exchange_waiting", medians(&RankDetail::exchange_waiting)},
                     {"sums_waiting", medians(&RankDetail::sums_waiting)}};
}

}  // namespace cfdmark
