// Divergence of fluxes through faces: (D U)_c = sum of the fluxes that leave the cell. A flux includes the
// area. S. Menon's thesis (2008), chapter 5. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

struct MeshDivergenceByFaces;

struct MeshDivergence {
  using Scattering = MeshDivergenceByFaces;
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

// The same from the faces: each adds its flux to its two cells.
struct MeshDivergenceByFaces {
  static constexpr Connection around = Connection::face_cells;
  // No kernel of its own in the catalog: kernel_files.cmake does not find this form of a description.
  using Description = MeshDescription<MeshDivergenceByFaces>;

  template <class F>
  struct Fields {
    typename F::template In<> u;
    typename F::template Scatter<> d;
  };
  static constexpr Fields<MeshNames> names{"u", "d"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    const typename F::Number flux = at.u;
    at.d.add(0, flux);
    if (at.d.exists(1)) at.d.add(1, -flux);
  }

  static Description description();
};

}  // namespace cfdmark
