// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/scalar.hpp"

namespace cfdmark {

template <class C>
CFDMARK_FUNCTION C axpby_value(C alpha, C x, C beta, C y) {
  return multiply_add(alpha, x, beta * y);
}

}  // namespace cfdmark
