// Parts of a fractional step on a mesh (S. Menon's thesis, 2008, chapter 7) that no operator of chapter 5 is.
// NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

// w = m u + the integral of k / volume from cell to cell (mesh_integration); 0 at the boundary, where fluxes
// are given. With m = distance of the centres / (area dt) and k of mesh_diffusion: the implicit part of
// momentum; with k of mesh_convection: its right-hand side.
struct MeshMomentum {
  static constexpr Connection around = Connection::face_cells;

  template <class F>
  struct Fields {
    typename F::template Gather<F::dims> k;
    typename F::template Gather<F::dims> x_c;
    typename F::template Gather<> volume;
    typename F::template In<F::dims> x_f;
    typename F::template In<> m;
    typename F::template In<> u;
    typename F::template Out<> w;
  };
  static constexpr Fields<MeshNames> names{
      "k", {"x_c", MeshValue::centre}, {"volume", MeshValue::volume}, {"x_f", MeshValue::centre}, "m", "u",
      "w"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    C first = 0, second = 0;
    for_each_number<0, F::dims>([&](int d) {
      const C middle = at.x_f(d);
      first = multiply_add(at.k(0, d), middle - at.x_c(0, d), first);
      second = multiply_add(at.k(1, d), at.x_c(1, d) - middle, second);
    });
    const C along = first / at.volume(0) + second / at.volume(1);
    at.w = at.k.exists(1) ? multiply_add(at.m, at.u, along) : C(0);
  }

  static MeshDescription<MeshMomentum> description();
};

// w = u - a (p_2 - p_1): the pressure pushes the fluxes, except those through the boundary. w may be u.
struct MeshCorrection {
  static constexpr Connection around = Connection::face_cells;

  template <class F>
  struct Fields {
    typename F::template Gather<> p;
    typename F::template In<> a;
    typename F::template In<> u;
    typename F::template Out<> w;
  };
  static constexpr Fields<MeshNames> names{"p", "a", "u", "w"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    const C push = at.p.exists(1) ? at.p(0) - at.p(1) : C(0);
    at.w = multiply_add(at.a, push, at.u);
  }

  static MeshDescription<MeshCorrection> description();
};

// Rotation (mesh_rotation) times `inner`, which is 1 inside and 0 at the boundary, where the stream function
// is given.
struct MeshInnerRotation {
  static constexpr Connection around = Connection::edge_faces;

  template <class F>
  struct Fields {
    typename F::template Gather<> g;
    typename F::template In<> inner;
    typename F::template Out<> r;
  };
  static constexpr Fields<MeshNames> names{"g", "inner", "r"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    typename F::Number sum = 0;
    for_each_link(at.g.links, [&](int n) { sum = sum + at.g.oriented(n); });
    at.r = at.inner * sum;
  }

  static MeshDescription<MeshInnerRotation> description();
};

}  // namespace cfdmark
