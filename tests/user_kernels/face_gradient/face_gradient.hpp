// The gradient in x of cell values on the faces between them, times h: the fourth-order staggered difference
// u = (27 (p_E - p_W) - (p_EE - p_WW)) / 24. Face i lies between cells i - 1 and i.
#pragma once

#include "kernels/cells/cell.hpp"

namespace cfdmark {

struct FaceGradient {
  static constexpr int halo = 2;  // a face on the boundary reads two ghost layers

  template <class F>
  struct Fields {
    typename F::StencilIn p;
    typename F::Out u;
  };
  static constexpr Fields<Names> names{"p", {"u", FieldPlace::face_x}};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C next = at.p(0, 0) - at.p(-1, 0), far = at.p(1, 0) - at.p(-2, 0);
    at.u = multiply_add(C(27), next, -far) / C(24);
  }

  static CellDescription<FaceGradient> description();
};

}  // namespace cfdmark
