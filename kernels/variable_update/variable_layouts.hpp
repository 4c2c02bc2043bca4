// Shared parts of the methods with a layout of their own. Each is instantiated for four and five variables.
#pragma once

#include <array>
#include <utility>

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/variable_update/variable_update.hpp"

namespace cfdmark {

template <class K>
Methods<CellArgs<K>> variables_serial();
template <class K>
Methods<CellArgs<K>> variables_openmp();
template <class K>
Methods<CellArgs<K>> variables_kokkos();
template <class K>
Methods<CellArgs<K>> variables_cuda();

// Returns the grid of a field of structures with `stride` values; cell i starts at index stride * i.
inline Grid interleaved(const Grid& g, int stride) { return {stride * g.nx, g.ny, g.nz, g.dims}; }

// Returns the arrays of q, or those of rhs.
template <class K>
std::array<AnyView, K::variables> arrays_of(const CellArgs<K>& args, bool rhs) {
  std::array<AnyView, K::variables> found;
  int n = rhs ? -K::variables : 0;
  for_each_field<K>(args.fields, [&](const AnyView& view) {
    if (n >= 0 && n < K::variables) found[n] = view;
    ++n;
  });
  return found;
}

template <class T, std::size_t n>
VariableViews<T, int(n)> variable_views(const std::array<AnyView, n>& fields) {
  VariableViews<T, int(n)> views;
  for (std::size_t v = 0; v < n; ++v) views.variable[v] = fields[v].template as<T>();
  return views;
}

}  // namespace cfdmark
