// A block of a sweep file: axes with their choices, not yet combined.
#pragma once

#include <string>
#include <vector>

#include "bench/sweep/axes.hpp"

namespace cfdmark {

// An `exclude`: removes the cases that match one choice of each axis.
struct Pattern {
  YAML::Mark mark;
  std::vector<Axis> axes;
};

struct Block {
  YAML::Mark mark;
  std::vector<Axis> axes;                      // in the order of expansion, slowest first
  std::vector<std::vector<std::string>> zips;  // names of axes that advance together
  std::vector<Pattern> exclude;
  std::vector<Block> include;
};

// Reads one element of `blocks`.
Block read_block(const SweepFile&, const AxisReader&, const YAML::Node&);

}  // namespace cfdmark
