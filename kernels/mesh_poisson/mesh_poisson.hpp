// The matrix of Poisson's equation on the nodes of a mesh, applied without storing it: linear finite
// elements, which is the same as S. Menon's fluxes through the median dual (mesh_dual_flux.hpp). Nodes with
// `free` = 0 have prescribed values; they are read as 0 and get 0. NVRTC reads this file, so it includes no
// standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"
#include "kernels/cells/indexed/simplex.hpp"

namespace cfdmark {

// q = F K F t, where K is the stiffness matrix of -div grad and F the diagonal matrix of `free`.
struct MeshPoisson {
  static constexpr Connection around = Connection::cell_nodes;

  template <class F>
  struct Fields {
    typename F::template Gather<> t;
    typename F::template Gather<> free;  // 1 or 0
    typename F::template Gather<F::dims> x;
    typename F::template Scatter<> q;
  };
  static constexpr Fields<MeshNames> names{"t", "free", {"x", MeshValue::centre}, "q"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    typename F::Number g[F::dims];
    const SimplexSides<typename F::Number, F::dims> sides(at.x);
    sides.gradient([&](int n) { return at.free(n) * at.t(n); }, g);
    for_each_number<0, F::dims + 1>([&](int n) { at.q.add(n, at.free(n) * sides.dual_flux(n, g)); });
  }

  static MeshDescription<MeshPoisson> description();
};

}  // namespace cfdmark
