// Interpolation of fluxes to the cells: v_c = 1/V sum of +-U_f (x_f - x_c), where U_f is the flux through a
// face including its area, positive if it leaves the cell. S. Menon's thesis (2008), equation 5.1. Exact for
// the fluxes of a constant velocity. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

struct MeshInterpolation {
  static constexpr Connection around = Connection::cell_faces;

  template <class F>
  struct Fields {
    typename F::template Gather<> u;
    typename F::template Gather<F::dims> x_f;
    typename F::template In<F::dims> x_c;
    typename F::template In<> volume;
    typename F::template Out<F::dims> v;
  };
  static constexpr Fields<MeshNames> names{
      "u", {"x_f", MeshValue::centre}, {"x_c", MeshValue::centre}, {"volume", MeshValue::volume}, "v"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    typename F::Number sum[F::dims] = {};
    for_each_link(at.u.links, [&](int n) {
      const auto flux = at.u.oriented(n);
      for_each_number<0, F::dims>(
          [&](int d) { sum[d] = multiply_add(flux, at.x_f(n, d) - at.x_c(d), sum[d]); });
    });
    for_each_number<0, F::dims>([&](int d) { at.v.set(d, sum[d] / at.volume); });
  }

  static MeshDescription<MeshInterpolation> description();
};

}  // namespace cfdmark
