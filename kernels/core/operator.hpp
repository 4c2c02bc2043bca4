// Untyped descriptions of views and operators: what the Args of kernels hold. They carry no scalar type, so
// that solvers and the catalog are written once; the kernel that uses them knows its precision.
#pragma once

#include <utility>

#include "kernels/core/grid.hpp"
#include "kernels/core/precision.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

// A view that says in which type its values are stored, instead of having it.
struct AnyView {
  void* origin = nullptr;  // cell (0,0,0)
  Grid grid;
  Precision storage = Precision::fp64;  // fp32 or fp64

  template <class T>
  View<T> as() const {
    return View<T>(static_cast<T*>(origin), grid);
  }
};

// The operator A of stencil.hpp, either constant or as arrays stored in the kernel's precision.
struct Operator {
  bool constant = true;
  double wx = 1, wy = 1, wz = 0, centre = 4;                            // constant
  AnyView west_a, east_a, south_a, north_a, bottom_a, top_a, centre_a;  // arrays; bottom and top only in 3-D

  // Arrays read for each cell.
  int arrays(const Grid& g) const { return constant ? 0 : g.is_3d() ? 7 : 5; }

  template <class C>
  ConstantStencil<C> as_constant() const {
    return {C(wx), C(wy), C(wz), C(centre), C(1) / C(centre)};
  }
  template <class S, class C>
  StencilArrays<S, C> as_arrays() const {
    auto view = [](const AnyView& a) { return a.origin ? a.as<const S>() : View<const S>(); };
    return {view(west_a),   view(east_a), view(south_a), view(north_a),
            view(bottom_a), view(top_a),  view(centre_a)};
  }
};

// Calls f.template operator()<S, C, dims>(typed operator).
template <class F>
decltype(auto) with_operator(Precision precision, const Operator& a, const Grid& grid, F&& f) {
  return with_types(precision, [&]<class S, class C>() -> decltype(auto) {
    if (a.constant) {
      if (grid.is_3d()) return f.template operator()<S, C, 3>(a.as_constant<C>());
      return f.template operator()<S, C, 2>(a.as_constant<C>());
    }
    if (grid.is_3d()) return f.template operator()<S, C, 3>(a.as_arrays<S, C>());
    return f.template operator()<S, C, 2>(a.as_arrays<S, C>());
  });
}

}  // namespace cfdmark
