// Integration of cell velocities along the way from one cell to the next: v . (x_f - x) of the first cell and
// v . (x - x_f) of the second. S. Menon's thesis (2008), equation 5.2. At the boundary there is the first
// term only. It is the transpose of interpolation with volumes. NVRTC reads this file, so it includes no
// standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

struct MeshIntegration {
  static constexpr Connection around = Connection::face_cells;

  template <class F>
  struct Fields {
    typename F::template Gather<F::dims> v;
    typename F::template Gather<F::dims> x_c;
    typename F::template In<F::dims> x_f;
    typename F::template Out<> w;
  };
  static constexpr Fields<MeshNames> names{"v", {"x_c", MeshValue::centre}, {"x_f", MeshValue::centre}, "w"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    C first = 0, second = 0;
    for_each_number<0, F::dims>([&](int d) {
      const C middle = at.x_f(d);
      first = multiply_add(at.v(0, d), middle - at.x_c(0, d), first);
      second = multiply_add(at.v(1, d), at.x_c(1, d) - middle, second);
    });
    at.w = first + (at.v.exists(1) ? second : C(0));
  }

  static MeshDescription<MeshIntegration> description();
};

}  // namespace cfdmark
