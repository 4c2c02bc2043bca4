// Size limits of cooperative kernels, whose blocks must all be co-resident.
#pragma once

#include <optional>
#include <vector>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

// Returns a grid of the given shape with about `cells` cells.
Grid grid_of_cells(const Grid& shape, double cells);

// Returns the largest block count of a cooperative kernel that keeps the present blocks per SM, from its
// record. A step with as many blocks takes as long as at this answer. Returns nothing for other kernels.
// `environment` is the environment line of the record.
std::optional<long long> most_blocks(const TuneAnswer&, std::size_t candidate, const Json& environment);

// Returns the largest number of cells, up to `most_cells`, of a grid of the case's shape on which its config
// launches at most `most_blocks` cooperative blocks. The case's own grid satisfies this.
double fitting_cells(const Case&, double most_cells, long long most_blocks);

// Ends each range at the size limit of its winner. The next range then starts there, if it started at the old
// end.
void end_where_winners_fit(std::vector<TuneRange>&, const std::vector<TuneAnswer>&, const Json& environment);

}  // namespace cfdmark::tuning
