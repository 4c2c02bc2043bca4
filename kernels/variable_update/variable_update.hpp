// q = q + dt rhs for the conserved variables of each cell, an explicit step: four for 2-D compressible flow
// (density, two momenta, energy), five for 3-D. It compares memory layouts of such variables, after section
// 11.1 of the review named in smoothing.hpp:
//
//   structure_of_arrays   one array per variable: q[v][cell]
//   array_of_structures   the variables of a cell contiguous: q[cell][v], read one by one
//   vector_loads          the same, read 16 bytes at a time like CUDA's float4; structures of five are
//                         padded to a multiple of 16 bytes
//
// NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

// Returns q + dt rhs.
template <class C>
CFDMARK_FUNCTION C advanced(C q, C dt, C rhs) {
  return multiply_add(dt, rhs, q);
}

// The fields are one array per variable. Other layouts are copied from them and back, which is not timed.
struct FourVariableUpdate {
  double dt = 0;

  static constexpr int variables = 4;
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

  static CellDescription<FourVariableUpdate> description();
};

struct FiveVariableUpdate {
  double dt = 0;

  static constexpr int variables = 5;
  template <class F>
  struct Fields {
    typename F::InOut q0, q1, q2, q3, q4;
    typename F::In rhs0, rhs1, rhs2, rhs3, rhs4;
  };
  static constexpr Fields<Names> names{"q0", "q1", "q2", "q3", "q4", "rhs0", "rhs1", "rhs2", "rhs3", "rhs4"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.q0 = advanced<C>(at.q0, C(dt), at.rhs0);
    at.q1 = advanced<C>(at.q1, C(dt), at.rhs1);
    at.q2 = advanced<C>(at.q2, C(dt), at.rhs2);
    at.q3 = advanced<C>(at.q3, C(dt), at.rhs3);
    at.q4 = advanced<C>(at.q4, C(dt), at.rhs4);
  }

  static CellDescription<FiveVariableUpdate> description();
};

// The variables of each cell, one array each.
template <class T, int n>
struct VariableViews {
  View<T> variable[n];
};

// Number of values in a structure of n, padded to a multiple of 16 bytes.
template <class T, int n>
constexpr int padded = (n * int(sizeof(T)) + 15) / 16 * 16 / int(sizeof(T));

}  // namespace cfdmark
