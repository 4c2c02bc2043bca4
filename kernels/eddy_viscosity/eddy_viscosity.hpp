// Eddy viscosity on a staggered grid, and its stress:
//   nu_t = l^2 |S|,  |S| = sqrt(2 S_ij S_ij),  R(u) += div(2 nu_t S)
// l is a length per cell: C_s Delta of Smagorinsky (1963), or a mixing length. u(i, j) is on the west face of
// cell (i, j), v(i, j) on its south face, w(i, j, k) on its bottom face, nu_t at the centres. NVRTC reads
// this file, so it includes no standard header.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/core/square_root.hpp"
#include "kernels/core/staggered.hpp"

namespace cfdmark {

// Velocity gradients in a fluid cell and at its edges.
struct Strain {
  FluidCell cell = {};

  // Returns the normal gradient d(velocity along axis) / d(axis) at the centre.
  template <int axis, class C, class Fields>
  CFDMARK_FUNCTION C stretch(const Fields& at) const {
    const auto w = in_plane<axis, first_across<axis>>(velocity_along<axis>(at));
    return (C(w(1, 0)) - C(w(0, 0))) * C(1 / cell.side(axis));
  }

  // Returns the gradient of the velocity along one axis in the direction of another, at an edge of the cell:
  // on its face `a` along the first and `b` along the second, where 0 is the lower and 1 the upper face.
  template <int along, int across, int a, int b, class C, class Fields>
  CFDMARK_FUNCTION C slope(const Fields& at) const {
    const auto w = in_plane<along, across>(velocity_along<along>(at));
    const auto codes = in_plane<along, across>(at.faces);
    const CellFaces first{int(codes(a - 1, 0))}, second{int(codes(a, 0))};
    const C here = w(a, 0), stored = w(a, b == 0 ? -1 : 1);
    const C beyond = b == 0 ? value_beyond(second.before(across), first.before(across), here, stored)
                            : value_beyond(second.behind(across), first.behind(across), here, stored);
    return (b == 0 ? here - beyond : beyond - here) * C(1 / cell.side(across));
  }

  // Returns 2 S_ij at that edge.
  template <int along, int across, int a, int b, class C, class Fields>
  CFDMARK_FUNCTION C shear(const Fields& at) const {
    return slope<along, across, a, b, C>(at) + slope<across, along, b, a, C>(at);
  }
  // Returns the mean of the squared shear at four edges. The square of the mean would vanish for a
  // checkerboard.
  template <int along, int across, class C, class Fields>
  CFDMARK_FUNCTION C squared_shear(const Fields& at) const {
    const C s00 = shear<along, across, 0, 0, C>(at), s10 = shear<along, across, 1, 0, C>(at),
            s01 = shear<along, across, 0, 1, C>(at), s11 = shear<along, across, 1, 1, C>(at);
    return C(0.25) * ((s00 * s00 + s10 * s10) + (s01 * s01 + s11 * s11));
  }

  // Returns |S|^2.
  template <class C, class Fields>
  CFDMARK_FUNCTION C squared(const Fields& at) const {
    const C x = stretch<0, C>(at), y = stretch<1, C>(at);
    const C flat = C(2) * (x * x + y * y) + squared_shear<0, 1, C>(at);
    if constexpr (has_w<Fields>) {
      const C z = stretch<2, C>(at);
      return flat + (C(2) * (z * z) + squared_shear<0, 2, C>(at) + squared_shear<1, 2, C>(at));
    } else {
      return flat;
    }
  }
};

// nu_t, which is 0 in solid cells.
struct EddyViscosityOfStrain : Strain {
  template <class C, class Fields>
  CFDMARK_FUNCTION C value(const Fields& at) const {
    const C length = at.length;
    const C eddy = length * length * square_root(squared<C>(at));
    return CellFaces{int(at.faces(0, 0))}.is_solid() ? C(0) : eddy;
  }
};

struct EddyViscosity : EddyViscosityOfStrain {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields {
    typename F::StencilIn faces, u, v;
    typename F::In length;
    typename F::Out eddy;
  };
  static constexpr Fields<Names> names{"faces", "u", "v", "l", "nu_t"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.eddy = value<typename F::Number>(at);
  }

  static CellDescription<EddyViscosity> description();
};

// The same in 3-D.
struct EddyViscosity3d : EddyViscosityOfStrain {
  static constexpr int only_dims = 3;
  template <class F>
  struct Fields {
    typename F::StencilIn faces, u, v, w;
    typename F::In length;
    typename F::Out eddy;
  };
  static constexpr Fields<Names> names{"faces", "u", "v", "w", "l", "nu_t"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.eddy = value<typename F::Number>(at);
  }

  static CellDescription<EddyViscosity3d> description();
};

// The contribution of eddies to the velocities' rates: the full stress 2 nu_t S, because div(nu_t grad u) is
// incomplete where nu_t varies.
struct EddyMomentum : Strain {
  // Returns nu_t at an edge: on the lower face along one axis, and on the lower (b = 0) or upper (b = 1) face
  // across it. It is the mean over the adjacent fluid cells.
  template <int along, int across, int b, class C, class Fields>
  CFDMARK_FUNCTION C at_edge(const Fields& at) const {
    const auto eddy = in_plane<along, across>(at.eddy);
    const auto codes = in_plane<along, across>(at.faces);
    C sum = C(0);
    int cells = 0;
    const auto add = [&](int i, int j) {
      const bool is_fluid = !CellFaces{int(codes(i, j))}.is_solid();
      sum = sum + (is_fluid ? C(eddy(i, j)) : C(0));
      cells += is_fluid;
    };
    add(-1, b - 1), add(0, b - 1), add(-1, b), add(0, b);
    return sum * (cells == 4 ? C(0.25) : cells == 3 ? C(1.0 / 3) : C(0.5));
  }

  template <int along, class C, class Fields>
  CFDMARK_FUNCTION C gain_along(const Fields& at) const {
    const auto w = in_plane<along, first_across<along>>(velocity_along<along>(at));
    const auto eddy = in_plane<along, first_across<along>>(at.eddy);
    const C here = w(0, 0), inverse = C(1 / cell.side(along));
    return C(2) * inverse * inverse * (C(eddy(0, 0)) * (w(1, 0) - here) - C(eddy(-1, 0)) * (here - w(-1, 0)));
  }
  template <int along, int across, class C, class Fields>
  CFDMARK_FUNCTION C gain_across(const Fields& at) const {
    const C below = at_edge<along, across, 0, C>(at) * shear<along, across, 0, 0, C>(at),
            above = at_edge<along, across, 1, C>(at) * shear<along, across, 0, 1, C>(at);
    return (above - below) * C(1 / cell.side(across));
  }

  // Returns the rate of the velocity along an axis (x 0, y 1, z 2), with the eddy stress added to `rate`.
  template <int along, class C, class Fields>
  CFDMARK_FUNCTION C gained(const Fields& at, C rate) const {
    C gain = gain_along<along, C>(at) + gain_across<along, first_across<along>, C>(at);
    if constexpr (has_w<Fields>) gain = gain + gain_across<along, second_across<along>, C>(at);
    return CellFaces{int(at.faces(0, 0))}.before(along) == FaceKind::fluid ? rate + gain : rate;
  }
};

struct EddyStress : EddyMomentum {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields {
    typename F::StencilIn faces, eddy, u, v;
    typename F::InOut ru, rv;
  };
  static constexpr Fields<Names> names{"faces", "nu_t", "u", "v", "R(u)", "R(v)"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.ru = gained<0, C>(at, at.ru);
    at.rv = gained<1, C>(at, at.rv);
  }

  static CellDescription<EddyStress> description();
};

// The same in 3-D.
struct EddyStress3d : EddyMomentum {
  static constexpr int only_dims = 3;
  template <class F>
  struct Fields {
    typename F::StencilIn faces, eddy, u, v, w;
    typename F::InOut ru, rv, rw;
  };
  static constexpr Fields<Names> names{"faces", "nu_t", "u", "v", "w", "R(u)", "R(v)", "R(w)"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    at.ru = gained<0, C>(at, at.ru);
    at.rv = gained<1, C>(at, at.rv);
    at.rw = gained<2, C>(at, at.rw);
  }

  static CellDescription<EddyStress3d> description();
};

}  // namespace cfdmark
