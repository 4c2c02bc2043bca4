// Gradient of cell values at faces, the difference of the two cells of a face: (G p)_f = p_2 - p_1, without
// division by their distance. S. Menon's thesis (2008), chapter 5. It is minus the transpose of the
// divergence. At the boundary it is 0 (Neumann). NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

struct MeshGradient {
  static constexpr Connection around = Connection::face_cells;

  template <class F>
  struct Fields {
    typename F::template Gather<> p;
    typename F::template Out<> g;
  };
  static constexpr Fields<MeshNames> names{"p", "g"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    const auto difference = at.p(1) - at.p(0);
    at.g = at.p.exists(1) ? difference : typename F::Number(0);
  }

  static MeshDescription<MeshGradient> description();
};

}  // namespace cfdmark
