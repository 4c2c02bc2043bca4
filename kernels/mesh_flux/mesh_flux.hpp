// Residual of the Euler equations in cells of a mesh: five quantities a cell (density, momentum, energy), one
// flux a face, which leaves the first cell and enters the second. Perfect gas with gamma = 1.4; flux of V. V.
// Rusanov (1961), the mean of both sides minus half the greater wave speed times the jump. At the boundary
// the flux is that of the cell itself. Momentum has three components also in 2-D. NVRTC reads this file, so
// it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"
#include "kernels/core/square_root.hpp"

namespace cfdmark {

// State of a gas on one side of a face: density, three momenta and energy per volume.
template <class C, int dims>
struct GasSide {
  C q[5];
  C flux;  // volume that crosses the face per time
  C pressure;
  C speed;  // greatest wave speed times the area

  // n: area vector of the face; area: its length.
  template <class Q>
  CFDMARK_FUNCTION GasSide(const Q& of, int side, const C (&n)[dims], C area) {
    for_each_number<0, 5>([&](int d) { q[d] = of(side, d); });
    const C inverse = C(1) / q[0];
    C through = 0;
    for_each_number<0, dims>([&](int d) { through = multiply_add(q[1 + d], n[d], through); });
    flux = through * inverse;
    const C squares = multiply_add(q[1], q[1], multiply_add(q[2], q[2], q[3] * q[3]));
    pressure = C(0.4) * multiply_add(C(-0.5) * inverse, squares, q[4]);
    const C sound = square_root(C(1.4) * pressure * inverse);
    speed = multiply_add(sound, area, flux < 0 ? -flux : flux);
  }
  // Sets f to the flux of all quantities.
  CFDMARK_FUNCTION void fluxes(const C (&n)[dims], C (&f)[5]) const {
    for_each_number<0, 4>([&](int d) { f[d] = q[d] * flux; });
    for_each_number<0, dims>([&](int d) { f[1 + d] = multiply_add(pressure, n[d], f[1 + d]); });
    f[4] = (q[4] + pressure) * flux;
  }
};

struct MeshFlux {
  static constexpr Connection around = Connection::face_cells;

  template <class F>
  struct Fields {
    typename F::template Gather<5> q;
    typename F::template In<F::dims> area;
    typename F::template Scatter<5> r;
  };
  static constexpr Fields<MeshNames> names{{"q", MeshValue::gas_state}, {"area", MeshValue::area}, "r"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    C n[F::dims], square = 0;
    for_each_number<0, F::dims>([&](int d) {
      n[d] = at.area(d);
      square = multiply_add(n[d], n[d], square);
    });
    const C area = square_root(square);
    const bool is_inner = at.q.exists(1);
    const GasSide<C, F::dims> first(at.q, 0, n, area), second(at.q, is_inner ? 1 : 0, n, area);
    C one[5], two[5];
    first.fluxes(n, one);
    second.fluxes(n, two);
    const C speed = first.speed < second.speed ? second.speed : first.speed;
    for_each_number<0, 5>([&](int d) {
      const C flux = C(0.5) * multiply_add(-speed, second.q[d] - first.q[d], one[d] + two[d]);
      at.r.add(0, d, flux);
      if (is_inner) at.r.add(1, d, -flux);
    });
  }

  static MeshDescription<MeshFlux> description();
};

}  // namespace cfdmark
