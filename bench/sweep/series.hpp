// Whole numbers in a sweep: one by one, or as {powers_of_two: [LOW, HIGH]} and {range: [LOW, HIGH, STEP]}.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/sweep/file.hpp"

namespace cfdmark {

// Numbers that follow a rule, and how many sides of a grid they stand for.
struct Series {
  std::vector<int> values;
  int dims = 2;
};

// What `plus` and `dims` may add to a series: `plus: 1` moves 64, 128 .. to 65, 129 .., and `dims: 3` makes
// cubes.
enum class SeriesUse { numbers, grids };

// Reads the map of a series. `max` is what the word max stands for; unset: it stands for nothing.
Series read_series(const SweepFile&, const YAML::Node& map, SeriesUse, std::optional<int> max = {});

}  // namespace cfdmark
