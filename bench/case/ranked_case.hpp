// Cases on several ranks. Their config has two more settings, `ranks` and `partition`; that of a case on one
// rank has neither, so that its name is that of a case without ranks.
#pragma once

#include <memory>
#include <vector>

#include "bench/case/case.hpp"
#include "kernels/core/rank_setup.hpp"

namespace cfdmark {

// Returns the settings `ranks` and `partition`, which sweeps take as axes.
const std::vector<Setting>& rank_settings();

// Returns the partition of cases that name none: a word of PartShape::from, for meshes of mesh_cut_from.
std::string usual_partition(DomainKind);

// Returns the ranks of a config; one rank if it has no such settings.
RankSetup ranks_of(const Config&);
// Returns the config with the settings of these ranks; unchanged for one rank.
Config with_ranks(Config, const RankSetup&);
// Returns the settings of the method alone.
Config without_ranks(const Config&);

// Returns the row on the ranks of a case; for one rank the case's own.
std::shared_ptr<const Row> row_on_ranks(const Case&);
// Prepares a case on a device of its backend (Row::prepare).
std::unique_ptr<Workload> prepare_workload(const Case&, Backend&);

}  // namespace cfdmark
