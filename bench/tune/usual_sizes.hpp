// Default sizes of a tune.
#pragma once

#include "bench/case/row.hpp"
#include "bench/tune/tune_sizes.hpp"

namespace cfdmark {

struct TunedDims {
  bool in_2d = false, in_3d = false;
};

// Returns the default of a tune by name: one grid, for solvers one that is solved in about a second.
AskedSizes usual_size(const Row&, TunedDims);
// Returns the default ladders of a whole device: from sizes in cache to sizes beyond most devices' caches.
// Solvers converge on these grids, and kernel fields are filled in about a second.
AskedSizes usual_ladders(const Row&, TunedDims);
// Returns the default sizes of a check: between and beyond those of usual_ladders(), some of them odd.
AskedSizes sizes_to_check(const Row&, TunedDims);

}  // namespace cfdmark
