// Untyped views and operators: the contents of kernels' Args. They carry no scalar type, so that solvers and
// the catalog are compiled once; the kernel that uses them knows its precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "kernels/core/grid.hpp"
#include "kernels/core/precision.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

// A view whose element type is known at run time.
struct AnyView {
  void* origin = nullptr;               // cell (0,0,0)
  Grid grid;                            // of the cells in view
  Precision storage = Precision::fp64;  // fp32 or fp64
  Index pitch = 0, plane = 0;           // elements to the neighbour in y and in z; plane is 0 in 2-D
  bool is_box = false;                  // true if it covers a part of a field only

  AnyView() = default;
  // A view of a whole field that has an allocation of its own.
  AnyView(void* first_cell, const Grid& g, Precision stored) : AnyView(first_cell, g, stored, Layout(g)) {}

  template <class T>
  View<T> as() const {
    return {static_cast<T*>(origin), grid.nx, grid.ny, grid.nz, grid.halo, pitch, plane};
  }

  // Returns a view of nx x ny x nz cells from cell (i, j, k) on; the cells around them serve as its ghosts.
  // Throws std::out_of_range if the box exceeds this view.
  AnyView box(int i, int j, int k, int nx, int ny, int nz = 1) const;
  // Returns true if the first cell is 16-byte aligned, so that rows can be read 16 bytes at a time.
  bool rows_are_aligned() const { return reinterpret_cast<std::uintptr_t>(origin) % 16 == 0; }

 private:
  AnyView(void* first_cell, const Grid& g, Precision stored, const Layout& layout)
      : origin(first_cell), grid(g), storage(stored), pitch(layout.pitch), plane(layout.plane) {}
};

// The operator A of stencil.hpp: constant coefficients, or arrays stored in the kernel's precision.
struct Operator {
  bool constant = true;
  double wx = 1, wy = 1, wz = 0, centre = 4;  // constant
  // Constant operators: distance of the last cells in x, y, z to the boundary, over the distance between
  // cells. Below 1 on coarse grids of multigrid (EdgedStencil). `centre` is the diagonal of the other cells.
  double to_boundary[3] = {1, 1, 1};
  AnyView west_a, east_a, south_a, north_a, bottom_a, top_a, centre_a;  // arrays; bottom and top only in 3-D

  // Returns the number of coefficient arrays read per cell.
  int arrays(const Grid& g) const { return constant ? 0 : g.is_3d() ? 7 : 5; }

  bool is_edged() const {
    return constant && !(to_boundary[0] == 1 && to_boundary[1] == 1 && to_boundary[2] == 1);
  }

  template <class C>
  ConstantStencil<C> as_constant() const {
    return {C(wx), C(wy), C(wz), C(centre), C(1) / C(centre)};
  }
  template <class C>
  EdgedStencil<C> as_edged(const Grid& g) const {
    EdgedStencil<C> a{as_constant<C>(), {g.nx - 1, g.ny - 1, g.nz - 1}, {}, {}, {}};
    const double w[] = {wx, wy, wz};
    for (int d = 0; d < 3; ++d) a.last_share[d] = C(to_boundary[d] / (1 + to_boundary[d]));
    for (int n = 0; n < 8; ++n) {
      double sum = centre;
      for (int d = 0; d < 3; ++d)
        if (n >> d & 1) sum += w[d] / to_boundary[d] - w[d];
      a.centre[n] = C(sum), a.inverse_centre[n] = C(1) / C(sum);
    }
    return a;
  }
  template <class S, class C>
  StencilArrays<S, C> as_arrays() const {
    auto view = [](const AnyView& a) { return a.origin ? a.as<const S>() : View<const S>(); };
    return {view(west_a),   view(east_a), view(south_a), view(north_a),
            view(bottom_a), view(top_a),  view(centre_a)};
  }
};

// Calls f.template operator()<S, C, dims>(typed operator) and returns its result. S: stored type, C:
// arithmetic type. Throws std::logic_error for an edged operator.
template <class F>
decltype(auto) with_operator(Precision precision, const Operator& a, const Grid& grid, F&& f) {
  if (a.is_edged()) throw std::logic_error("this kernel does not support edged operators of coarse grids");
  return with_types(precision, [&]<class S, class C>() -> decltype(auto) {
    if (a.constant) {
      if (grid.is_3d()) return f.template operator()<S, C, 3>(a.as_constant<C>());
      return f.template operator()<S, C, 2>(a.as_constant<C>());
    }
    if (grid.is_3d()) return f.template operator()<S, C, 3>(a.as_arrays<S, C>());
    return f.template operator()<S, C, 2>(a.as_arrays<S, C>());
  });
}
// The same for kernels of coarse grids, which accept edged operators too. Only these kernels are instantiated
// for them, which limits compile time.
template <class F>
decltype(auto) with_level_operator(Precision precision, const Operator& a, const Grid& grid, F&& f) {
  if (!a.is_edged()) return with_operator(precision, a, grid, f);
  return with_types(precision, [&]<class S, class C>() -> decltype(auto) {
    if (grid.is_3d()) return f.template operator()<S, C, 3>(a.as_edged<C>(grid));
    return f.template operator()<S, C, 2>(a.as_edged<C>(grid));
  });
}

}  // namespace cfdmark
