#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/four_variable_update/four_variable_layouts.hpp"

namespace cfdmark {
namespace {

// A row of cells from one array.
template <class S, class C>
void advance_structures(S* q, const S* rhs, C dt, int nx) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 0; i < nx; ++i)
    for (int v = 0; v < 4; ++v)
      q[4 * i + v] = S(FourVariableUpdate::advanced(C(q[4 * i + v]), dt, C(rhs[4 * i + v])));
}

// copy(value in arrays, value in structures) for each variable of each cell.
template <class S, class Rows, class Copy>
void for_each_value(const Rows& rows, const Grid& g, const FourViews<S>& arrays, const AnyView& structures,
                    const Copy& copy) {
  const auto interleaved = structures.as<std::remove_const_t<S>>();
  rows(rows_of(g), [&](Index row) {
    const RowIndex at(g);
    const int j = at.j(row), k = at.k(row);
    for (int i = 0; i < g.nx; ++i)
      for (int v = 0; v < 4; ++v) copy(arrays.variable[v](i, j, k), interleaved(4 * i + v, j, k));
  });
}

template <class Rows>
Step array_of_structures(Backend& backend, const FourVariableArgs& args, const Rows& rows) {
  const Field q(backend, interleaved(args.grid()), args.precision),
      rhs(backend, interleaved(args.grid()), args.precision);
  return with_types(args.precision, [&]<class S, class C>() {
    Step step = row_step(rows, [=, g = args.grid(), to = q.view().as<S>(), from = rhs.view().as<const S>(),
                                dt = C(args.kernel.dt)] {
      rows(rows_of(g), [&](Index row) {
        const RowIndex at(g);
        advance_structures(to.row(at.j(row), at.k(row)), from.row(at.j(row), at.k(row)), dt, g.nx);
      });
    });
    step.load = [=] {
      auto in = [](const S& array, S& structure) { structure = array; };
      for_each_value(rows, args.grid(), four_views<const S>(q_of(args)), q.view(), in);
      for_each_value(rows, args.grid(), four_views<const S>(rhs_of(args)), rhs.view(), in);
    };
    step.store = [=] {
      for_each_value(rows, args.grid(), four_views<S>(q_of(args)), q.view(),
                     [](S& array, const S& structure) { array = structure; });
    };
    return step;
  });
}

}  // namespace

Methods<FourVariableArgs> four_variable_serial() {
  return {{"array_of_structures", {}, [](Backend& b, const FourVariableArgs& a, const Config&) {
             return array_of_structures(b, a, SerialRows{});
           }}};
}

Methods<FourVariableArgs> four_variable_openmp() {
  return {{"array_of_structures", openmp_space(), [](Backend& b, const FourVariableArgs& a, const Config& c) {
             return array_of_structures(b, a, openmp_rows(c));
           }}};
}

}  // namespace cfdmark
