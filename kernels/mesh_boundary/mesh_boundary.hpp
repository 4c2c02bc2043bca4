// Values at the faces of the boundary from those of the cells: u_f = a_f p_c + b_f, a given value for a_f =
// 0, a given difference for a_f = 1. S. Menon's thesis (2008), section 5.3: by a flag at every face, here the
// missing second cell, or by a list of faces. Other faces keep their values. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

struct MeshBoundary {
  static constexpr Connection around = Connection::face_cells;
  static constexpr bool at_boundary_only = true;

  template <class F>
  struct Fields {
    typename F::template Gather<> p;
    typename F::template In<> a;
    typename F::template In<> b;
    typename F::template Out<> u;
  };
  static constexpr Fields<MeshNames> names{"p", "a", "b", "u"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.u = multiply_add(at.a, at.p(0), at.b);
  }

  static MeshDescription<MeshBoundary> description();
};

}  // namespace cfdmark
