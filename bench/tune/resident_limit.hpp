// Winners that fit a device only up to some size: those whose blocks wait for each other.
#pragma once

#include <optional>
#include <vector>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

// The grid of that shape with about so many cells.
Grid grid_of_cells(const Grid& shape, double cells);

// Of a candidate whose blocks wait for each other, by its record: as many as there may be with no more on any
// multiprocessor than there are at this answer. The device holds them, and a step takes as long with them.
// Nothing where none wait. `environment`: the line that the record names.
std::optional<long long> most_blocks(const TuneAnswer&, std::size_t candidate, const Json& environment);

// The most cells, up to `most_cells`, that a grid of the case's shape may have on which its config makes at
// most so many blocks that wait for each other. It does on the case's own grid.
double fitting_cells(const Case&, double most_cells, long long most_blocks);

// A range ends where its winner fits no more; where another range began at its end, that one begins there
// too.
void end_where_winners_fit(std::vector<TuneRange>&, const std::vector<TuneAnswer>&, const Json& environment);

}  // namespace cfdmark::tuning
