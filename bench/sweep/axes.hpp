// The axes of a sweep: which words a block may use, and what each value chooses.
#pragma once

#include <string>
#include <vector>

#include "bench/sweep/block.hpp"

namespace cfdmark {

// What the values of axes are read with.
struct AxisReader {
  const SweepFile& file;
  const std::vector<Row>& rows;
};

struct AxisWord {
  const char* one;  // both numbers of the word are understood: `grid: 64x64`, `grids: [64x64, 128x128]`
  const char* many;
  bool for_solvers;  // kernels have no such axis
  std::vector<Choice> (*read)(const AxisReader&, const Entry&);
};

// In the order of expansion, the slowest first: cases that are checked against the same reference follow each
// other. The reference depends on problem and grid for solvers, on kernel, grid and precision for kernels.
const std::vector<AxisWord>& axis_words();

// Null if there is no such axis.
const AxisWord* find_axis_word(const std::string& key);

Axis read_axis(const AxisReader&, const AxisWord&, const Entry&);
Axis read_parameter(const AxisReader&, const Entry&);
// `parameters: tuned`, `default`, or both.
Axis read_parameter_words(const AxisReader&, const Entry&);

// Names of all parameters that rows have.
std::vector<std::string> parameter_names(const std::vector<Row>&);

}  // namespace cfdmark
