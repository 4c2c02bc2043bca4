// The sizes that a tune takes where nobody asks for any.
#pragma once

#include "bench/catalog/catalog.hpp"
#include "bench/commands/tune_sizes.hpp"

namespace cfdmark {

struct TunedDims {
  bool in_2d = false, in_3d = false;
};

// Of a tune by name: one grid, of solvers one that they solve in a second or so.
AskedSizes usual_size(const Row&, TunedDims);
// Of a whole device: from those in the caches to those beyond the caches of most devices; of solvers small
// enough to end, of kernels to be filled in a second or so.
AskedSizes usual_ladders(const Row&, TunedDims);
// Between those of usual_ladders() and beyond, where nothing was tuned, odd ones among them: to check what
// was tuned and the defaults.
AskedSizes sizes_to_check(const Row&, TunedDims);

}  // namespace cfdmark
