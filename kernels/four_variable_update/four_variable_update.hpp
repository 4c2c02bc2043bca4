// q = q + dt rhs for the four conserved variables of each cell (density, two momenta, energy: a plane
// compressible flow), an explicit step. What it is for is the layout of such variables in memory,
// section 11.1 of the review of GPU computing that smoothing.hpp names:
//
//   structure_of_arrays   one array a variable: q[v][cell]
//   array_of_structures   the variables of a cell side by side: q[cell][v], read one by one
//   vector_loads          the same, read 16 bytes at a time, as CUDA's float4 does
//
// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/cell.hpp"

namespace cfdmark {

struct FourVariableUpdate {
  double dt = 0;

  // One array a variable; other layouts are copied from them and back, outside the clock.
  template <class F>
  struct Fields {
    typename F::InOut q0, q1, q2, q3;
    typename F::In rhs0, rhs1, rhs2, rhs3;
  };
  static constexpr Fields<Names> names{"q0", "q1", "q2", "q3", "rhs0", "rhs1", "rhs2", "rhs3"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.q0 = advanced<C>(at.q0, C(dt), at.rhs0);
    at.q1 = advanced<C>(at.q1, C(dt), at.rhs1);
    at.q2 = advanced<C>(at.q2, C(dt), at.rhs2);
    at.q3 = advanced<C>(at.q3, C(dt), at.rhs3);
  }

  // q + dt rhs
  template <class C>
  CFDMARK_FUNCTION static C advanced(C q, C dt, C rhs) {
    return multiply_add(dt, rhs, q);
  }

  static CellDescription<FourVariableUpdate> description();
};

// The four variables of each cell, one array each.
template <class T>
struct FourViews {
  View<T> variable[4];
};

}  // namespace cfdmark
