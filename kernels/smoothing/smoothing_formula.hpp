// NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// u is an accessor u(di, dj, dk) that returns C.
template <class C, class U>
CFDMARK_FUNCTION C smoothed(const U& u, C s) {
  const C x = u(-1, 0, 0) + u(1, 0, 0), y = u(0, -1, 0) + u(0, 1, 0), z = u(0, 0, -1) + u(0, 0, 1);
  return multiply_add(C(1) - s, u(0, 0, 0), s * (((x + y) + z) / C(6)));
}

}  // namespace cfdmark
