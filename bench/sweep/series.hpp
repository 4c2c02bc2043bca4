// Integer series in a sweep: {powers_of_two: [LOW, HIGH]} and {range: [LOW, HIGH, STEP]}.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/sweep/file.hpp"

namespace cfdmark {

// The numbers of a series, and the dimensions of the grids that they describe.
struct Series {
  std::vector<int> values;
  int dims = 2;
};

// Keys that a series accepts besides its rule. For numbers: `plus`, which turns 64, 128, ... into 65, 129,
// ... with `plus: 1`. For grids also `dims`; `dims: 3` makes cubes.
enum class SeriesUse { numbers, grids };

// Reads the map of a series. `max` is the value of the word max; none: the word is not allowed.
Series read_series(const SweepFile&, const YAML::Node& map, SeriesUse, std::optional<int> max = {});

}  // namespace cfdmark
