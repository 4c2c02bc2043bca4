// Sine transforms on CUDA around a library's transforms of real values (kernels/sine_transform), whichever
// the library: the tests of machines without a GPU bring their own.
#pragma once

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/sine_transform/sine_lines.hpp"
#include "solvers/linear/direct.hpp"

namespace cfdmark {

// All lines of an axis, transformed by exp(-2 pi i ..) without a factor: from period() real values each to
// coefficients() complex ones, real and imaginary part in turn.
struct LineTransform {
  SineLines lines;
  Precision storage;
  void *extended, *coefficients;
};
using MakeLineTransform = std::function<HostCall(const LineTransform&)>;

// Tries nothing on a backend that only counts. Beside r it takes the memory of the lines of the axis that has
// the most.
SineSolve sine_solve_by(MakeLineTransform);

}  // namespace cfdmark
