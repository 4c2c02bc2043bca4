// Transforms of sines, cosines and waves around an axis on CUDA, made of a library's transforms of real
// values (kernels/line_transform), whichever the library: the tests of machines without a GPU bring their
// own.
#pragma once

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/line_transform/grid_lines.hpp"
#include "solvers/linear/direct.hpp"

namespace cfdmark {

// All lines of an axis, transformed by exp(-2 pi i ..) without a factor: from `period` real values each to
// coefficients() complex ones, real and imaginary part in turn.
struct LineTransform {
  GridLines lines;
  Precision storage;
  void *values, *coefficients;
};
using MakeLineTransform = std::function<HostCall(const LineTransform&)>;

// As DirectLibrary::solve. Tries nothing on a backend that only counts. Beside the fields it takes the memory
// of the lines of the axis that has the most.
std::function<std::vector<Operation>(const DirectTask&)> direct_by_lines(MakeLineTransform);

}  // namespace cfdmark
