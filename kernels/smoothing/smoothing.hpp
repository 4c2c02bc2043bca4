// 3-D smoothing, out = (1 - s) u + s (sum of the six neighbours) / 6, from section 11.6 of the review of GPU
// computing for CFD. Its CPU listing reads the right neighbour in place of the centre; its GPU listing is
// correct. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

struct Smoothing {
  static constexpr int only_dims = 3;
  double s = 0.5;

  template <class F>
  struct Fields {
    typename F::StencilIn u;
    typename F::Out out;
  };
  static constexpr Fields<Names> names{"u", "out"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.out = smoothed(at.u, typename F::Number(s));
  }

  template <class U, class C>
  CFDMARK_FUNCTION static C smoothed(const U& u, C s) {
    const C x = u(-1, 0, 0) + u(1, 0, 0), y = u(0, -1, 0) + u(0, 1, 0), z = u(0, 0, -1) + u(0, 0, 1);
    return multiply_add(C(1) - s, u(0, 0, 0), s * (((x + y) + z) / C(6)));
  }

  static CellDescription<Smoothing> description();
};

}  // namespace cfdmark
