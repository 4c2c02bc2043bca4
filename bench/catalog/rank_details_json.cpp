#include "bench/catalog/rank_details_json.hpp"

#include "kernels/core/statistics.hpp"

namespace cfdmark {

void add_details(nlohmann::json& ranks, const std::vector<std::vector<RankDetail>>& solves) {
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
