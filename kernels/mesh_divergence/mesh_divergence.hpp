// Divergence of fluxes through faces: (D U)_c = sum of the fluxes that leave the cell. A flux includes the
// area. S. Menon's thesis (2008), chapter 5. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

struct MeshDivergence {
  static constexpr Connection around = Connection::cell_faces;

  template <class F>
  struct Fields {
    typename F::template Gather<> u;
    typename F::template Out<> d;
  };
  static constexpr Fields<MeshNames> names{"u", "d"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    typename F::Number sum = 0;
    for_each_link(at.u.links, [&](int n) { sum = sum + at.u.oriented(n); });
    at.d = sum;
  }

  static MeshDescription<MeshDivergence> description();
};

}  // namespace cfdmark
