// Gradient of node values in each cell: grad T = 1/V sum of T_f n_f over the faces, where T_f is the mean of
// the face's nodes and n_f its area vector, outward. S. Menon's thesis (2008), equation 6.2. Exact for a
// linear T on triangles and tetrahedra. Written with differences from the first node: face i lies opposite
// node i, the area vectors add up to 0, so that the sum is -1/(dims V) sum of (T_i - T_0) n_i. NVRTC reads
// this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"
#include "kernels/cells/indexed/simplex.hpp"

namespace cfdmark {

struct MeshNodeGradient {
  static constexpr Connection around = Connection::cell_nodes;

  template <class F>
  struct Fields {
    typename F::template Gather<> t;
    typename F::template Gather<F::dims> x;
    typename F::template Out<F::dims> g;
  };
  static constexpr Fields<MeshNames> names{"t", {"x", MeshValue::centre}, "g"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    const SimplexSides<typename F::Number, F::dims> sides(at.x);
    typename F::Number g[F::dims];
    sides.gradient(at.t, g);
    for_each_number<0, F::dims>([&](int d) { at.g.set(d, g[d]); });
  }

  static MeshDescription<MeshNodeGradient> description();
};

}  // namespace cfdmark
