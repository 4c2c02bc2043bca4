// Sine, cosine and periodic transforms on CUDA, composed of real-to-complex transforms
// (kernels/line_transform). The transform library is a parameter, so that tests without a GPU can supply
// their own.
#pragma once

#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/line_transform/grid_lines.hpp"
#include "solvers/linear/direct/direct.hpp"

namespace cfdmark {

// Forward transform of all lines of an axis, with kernel exp(-2 pi i ..) and without a factor: `period` real
// values per line to coefficients() complex ones, stored as real and imaginary part in turn.
struct LineTransform {
  GridLines lines;
  Precision storage;
  void *values, *coefficients;
};
using MakeLineTransform = std::function<HostCall(const LineTransform&)>;

// Returns a DirectLibrary::solve. On a counting backend it only allocates. Besides the fields it needs memory
// for the lines of the largest axis.
std::function<std::vector<Operation>(const DirectTask&)> direct_by_lines(MakeLineTransform);

}  // namespace cfdmark
