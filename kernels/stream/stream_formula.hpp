// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

template <class C>
CFDMARK_FUNCTION C triad_value(C b, C s, C c) {
  return multiply_add(s, c, b);
}

}  // namespace cfdmark
