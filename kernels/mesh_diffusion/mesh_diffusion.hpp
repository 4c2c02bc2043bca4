// Diffusion and convection of velocities in cells, and the Laplacian of a pressure there: each face moves
// something from its first cell to its second. S. Menon's thesis (2008), equations 7.6 and 7.7, the latter
// without its terms for skewed faces. The results are sums over the faces of a cell; to be rates they are
// divided by its volume. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

// k = sum over faces of a (v - v beyond the face), the velocity of the boundary being 0. With a = viscosity
// times area over distance of the centres this is minus the diffusion: symmetric and positive.
struct MeshDiffusion {
  static constexpr Connection around = Connection::face_cells;

  template <class F>
  struct Fields {
    typename F::template Gather<F::dims> v;
    typename F::template In<> a;
    typename F::template Scatter<F::dims> k;
  };
  static constexpr Fields<MeshNames> names{"v", "a", "k"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const bool is_inner = at.v.exists(1);
    for_each_number<0, F::dims>([&](int d) {
      const C flux = at.a * (at.v(0, d) - (is_inner ? at.v(1, d) : C(0)));
      at.k.add(0, d, flux);
      if (is_inner) at.k.add(1, d, -flux);
    });
  }

  static MeshDescription<MeshDiffusion> description();
};

// y = sum over faces of a (p - p beyond the face), without faces of the boundary (Neumann).
struct MeshCellLaplacian {
  static constexpr Connection around = Connection::face_cells;

  template <class F>
  struct Fields {
    typename F::template Gather<> p;
    typename F::template In<> a;
    typename F::template Scatter<> y;
  };
  static constexpr Fields<MeshNames> names{"p", "a", "y"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const bool is_inner = at.p.exists(1);
    const C flux = is_inner ? at.a * (at.p(0) - at.p(1)) : C(0);
    at.y.add(0, flux);
    if (is_inner) at.y.add(1, -flux);
  }

  static MeshDescription<MeshCellLaplacian> description();
};

// The explicit terms of a step: c = sum over faces of -U_f u_f, and at the boundary of a w, the part of the
// diffusion that MeshDiffusion omits. U: flux out of the first cell. u_f: mean of both cells (upwind =
// 0) or the cell upstream (upwind = 1); at the boundary w, its velocity.
struct MeshConvection {
  double upwind = 0;

  static constexpr Connection around = Connection::face_cells;

  template <class F>
  struct Fields {
    typename F::template Gather<F::dims> v;
    typename F::template In<> u;
    typename F::template In<> a;
    typename F::template In<F::dims> w;
    typename F::template Scatter<F::dims> c;
  };
  static constexpr Fields<MeshNames> names{"v", "u", "a", "w", "c"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const bool is_inner = at.v.exists(1);
    const C flow = at.u, half = C(0.5) * flow;
    const C bias = C(0.5 * upwind) * (flow < 0 ? -flow : flow);
    for_each_number<0, F::dims>([&](int d) {
      const C own = at.v(0, d), other = at.v(1, d);
      const C between = -multiply_add(half, own + other, bias * (own - other));
      const C flux = is_inner ? between : (at.a - flow) * at.w(d);
      at.c.add(0, d, flux);
      if (is_inner) at.c.add(1, d, -flux);
    });
  }

  static MeshDescription<MeshConvection> description();
};

}  // namespace cfdmark
