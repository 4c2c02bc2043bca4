// A block of a sweep file: axes, each a list of choices, not yet combined.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/sweep/file.hpp"

namespace cfdmark {

// What a combination of choices, one from each axis, adds up to.
struct Draft {
  RowKind kind = RowKind::kernel;
  std::string name;
  BackendKind backend = BackendKind::serial;
  int device = 0;  // of cuda
  Precision precision = Precision::fp64;
  std::string method = "all";  // or "default" (default_row), or a method's name
  Grid grid;
  Config config;       // what the file sets; a row takes the parameters that it has
  bool tuned = false;  // the config comes from the tuned tables, once the device is known
  SolveRequest request;

  bool operator==(const Draft&) const;
};

struct Choice {
  std::string text;  // as a message names it
  YAML::Mark mark;
  std::function<void(Draft&)> apply;
  bool must_serve =
      true;  // the file names it, so that some row must take it; words that `all` stands for need not
};

struct Axis {
  std::string name;  // "kernels", "grids", or a parameter's name
  YAML::Mark mark;
  std::vector<Choice> choices;
  bool is_parameter = false;
};

// An `exclude`: removes the cases that agree with one choice of each axis.
struct Pattern {
  YAML::Mark mark;
  std::vector<Axis> axes;
};

struct Block {
  YAML::Mark mark;
  std::vector<Axis> axes;                      // in the order of expansion, the slowest first
  std::vector<std::vector<std::string>> zips;  // names of axes that advance together
  std::vector<Pattern> exclude;
  std::vector<Block> include;
};

// Reads one element of `blocks`. Words are checked against the catalog.
Block read_block(const SweepFile&, const YAML::Node&, const std::vector<Row>& rows);

}  // namespace cfdmark
