#include "solvers/linear/system/overlapped_sweep.hpp"

#include <utility>

namespace cfdmark {

void add_overlap(SolverMethod& method, std::vector<std::string> orders) {
  method.rank_settings.push_back(overlap_setting(std::move(orders)));
  method.space.require(overlap_refusal);
}

Overlap overlap_of(const System& system, const Config& config) {
  if (!system.ranks || !config.has(overlap_name)) return Overlap::none;
  return overlap_from(config.choice(overlap_name));
}

}  // namespace cfdmark
