#include "kernels/device/cpu/cpu_rows.hpp"
#include "kernels/device/cpu/row_stencil.hpp"
#include "kernels/variable_update/variable_layouts.hpp"

namespace cfdmark {
namespace {

// Updates a row of cells of structures.
template <int n, class S, class C>
void advance_structures(S* q, const S* rhs, C dt, int nx) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 0; i < nx; ++i)
    for (int v = 0; v < n; ++v) q[n * i + v] = S(advanced(C(q[n * i + v]), dt, C(rhs[n * i + v])));
}

// Calls copy(value in arrays, value in structures) for each variable of each cell.
template <class S, int n, class Copy>
void for_each_value(const HostRows& rows, const Grid& g, const VariableViews<S, n>& arrays,
                    const AnyView& structures, const Copy& copy) {
  const auto interleaved = structures.as<std::remove_const_t<S>>();
  rows(rows_of(g), [&](Index row) {
    const RowIndex at(g);
    const int j = at.j(row), k = at.k(row);
    for (int i = 0; i < g.nx; ++i)
      for (int v = 0; v < n; ++v) copy(arrays.variable[v](i, j, k), interleaved(n * i + v, j, k));
  });
}

template <class K>
Step array_of_structures(Backend& backend, const CellArgs<K>& args, const HostRows& rows) {
  constexpr int n = K::variables;
  const Grid side_by_side = interleaved(args.grid(), n);
  const Field q(backend, side_by_side, args.precision), rhs(backend, side_by_side, args.precision);
  return with_types(args.precision, [&]<class S, class C>() {
    Step step = row_step(rows, [=, g = args.grid(), to = q.view().as<S>(), from = rhs.view().as<const S>(),
                                dt = C(args.kernel.dt)] {
      rows(rows_of(g), [&](Index row) {
        const RowIndex at(g);
        advance_structures<n>(to.row(at.j(row), at.k(row)), from.row(at.j(row), at.k(row)), dt, g.nx);
      });
    });
    step.load = [=] {
      auto in = [](const S& array, S& structure) { structure = array; };
      for_each_value(rows, args.grid(), variable_views<const S>(arrays_of(args, false)), q.view(), in);
      for_each_value(rows, args.grid(), variable_views<const S>(arrays_of(args, true)), rhs.view(), in);
    };
    step.store = [=] {
      for_each_value(rows, args.grid(), variable_views<S>(arrays_of(args, false)), q.view(),
                     [](S& array, const S& structure) { array = structure; });
    };
    return step;
  });
}

}  // namespace

template <class K>
Methods<CellArgs<K>> variables_serial() {
  return {{"array_of_structures", {}, [](Backend& b, const CellArgs<K>& a, const Config& c) {
             return array_of_structures(b, a, serial_rows(c));
           }}};
}

template <class K>
Methods<CellArgs<K>> variables_openmp() {
  return {{"array_of_structures", openmp_space(), [](Backend& b, const CellArgs<K>& a, const Config& c) {
             return array_of_structures(b, a, openmp_rows(c));
           }}};
}

template Methods<CellArgs<FourVariableUpdate>> variables_serial();
template Methods<CellArgs<FiveVariableUpdate>> variables_serial();
template Methods<CellArgs<FourVariableUpdate>> variables_openmp();
template Methods<CellArgs<FiveVariableUpdate>> variables_openmp();

}  // namespace cfdmark
