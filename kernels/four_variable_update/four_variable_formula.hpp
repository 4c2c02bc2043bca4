// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

// The four variables of each cell, one array each.
template <class T>
struct FourViews {
  View<T> variable[4];
};

// q + dt rhs
template <class C>
CFDMARK_FUNCTION C advanced(C q, C dt, C rhs) {
  return multiply_add(dt, rhs, q);
}

}  // namespace cfdmark
