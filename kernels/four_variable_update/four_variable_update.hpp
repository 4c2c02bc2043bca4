// q = q + dt rhs for the four conserved variables of each cell (density, two momenta, energy: a plane
// compressible flow), an explicit step. What it is for is the layout of such variables in memory,
// section 11.1 of the review of GPU computing that smoothing.hpp names:
//
//   structure_of_arrays   one array a variable: q[v][cell]
//   array_of_structures   the variables of a cell side by side: q[cell][v], read one by one
//   vector_loads          the same, read 16 bytes at a time, as CUDA's float4 does
#pragma once

#include <array>

#include "kernels/backends/timed_problem.hpp"
#include "kernels/four_variable_update/four_variable_formula.hpp"

namespace cfdmark {

struct FourVariableArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  double dt = 0;
  std::array<AnyView, 4> q,
      rhs;  // one array a variable; other layouts are copied from them and back, outside the clock
};

// Four values read, four updated: 12 words a cell.
Cost four_variable_cost(const FourVariableArgs&);
Methods<FourVariableArgs> four_variable_methods(BackendKind);
KernelDescription<FourVariableArgs> four_variable_update_kernel();

// A field on this grid holds the four variables of cell i in its cells 4 i to 4 i + 3.
inline Grid interleaved(const Grid& g) { return {4 * g.nx, g.ny, g.nz}; }

template <class T>
FourViews<T> four_views(const std::array<AnyView, 4>& fields) {
  return {{fields[0].as<T>(), fields[1].as<T>(), fields[2].as<T>(), fields[3].as<T>()}};
}

Methods<FourVariableArgs> four_variable_serial();
Methods<FourVariableArgs> four_variable_openmp();
Methods<FourVariableArgs> four_variable_kokkos();
Methods<FourVariableArgs> four_variable_cuda();

}  // namespace cfdmark
