// Diffusive flux through the median dual of each node, k = 1: Q_a = sum over the cells around the node of
// -grad T . n, where n is the area vector of the dual's boundary inside the cell, away from the node. S.
// Menon's thesis (2008), equation 6.3. The dual's pieces add up to a third (2-D: half) of the side opposite
// the node. With mesh_node_gradient this is the stiffness matrix of linear finite elements. NVRTC reads this
// file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"
#include "kernels/cells/indexed/simplex.hpp"

namespace cfdmark {

struct MeshDualFlux {
  static constexpr Connection around = Connection::cell_nodes;

  template <class F>
  struct Fields {
    typename F::template Gather<F::dims> x;
    typename F::template In<F::dims> g;
    typename F::template Scatter<> q;
  };
  static constexpr Fields<MeshNames> names{{"x", MeshValue::centre}, "g", "q"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    typename F::Number g[F::dims];
    for_each_number<0, F::dims>([&](int d) { g[d] = at.g(d); });
    const SimplexSides<typename F::Number, F::dims> sides(at.x);
    for_each_number<0, F::dims + 1>([&](int n) { at.q.add(n, sides.dual_flux(n, g)); });
  }

  static MeshDescription<MeshDualFlux> description();
};

// Gradient and dual flux in one pass over the cells: the Laplacian of node values, with the sign of -div
// grad.
struct MeshNodeLaplacian {
  static constexpr Connection around = Connection::cell_nodes;

  template <class F>
  struct Fields {
    typename F::template Gather<> t;
    typename F::template Gather<F::dims> x;
    typename F::template Scatter<> q;
  };
  static constexpr Fields<MeshNames> names{"t", {"x", MeshValue::centre}, "q"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    typename F::Number g[F::dims];
    const SimplexSides<typename F::Number, F::dims> sides(at.x);
    sides.gradient(at.t, g);
    for_each_number<0, F::dims + 1>([&](int n) { at.q.add(n, sides.dual_flux(n, g)); });
  }

  static MeshDescription<MeshNodeLaplacian> description();
};

}  // namespace cfdmark
