#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/four_variable_update/four_variable_update.hpp"

namespace cfdmark {
namespace {

// A row of cells from four arrays.
template <class S, class C>
void advance_row(S* q0, S* q1, S* q2, S* q3, const S* r0, const S* r1, const S* r2, const S* r3, C dt,
                 int nx) {
  auto advance = [dt](S& q, S rhs) { q = S(advanced(C(q), dt, C(rhs))); };
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 0; i < nx; ++i) {
    advance(q0[i], r0[i]);
    advance(q1[i], r1[i]);
    advance(q2[i], r2[i]);
    advance(q3[i], r3[i]);
  }
}

// A row of cells from one array.
template <class S, class C>
void advance_structures(S* q, const S* rhs, C dt, int nx) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 0; i < nx; ++i)
    for (int v = 0; v < 4; ++v) q[4 * i + v] = S(advanced(C(q[4 * i + v]), dt, C(rhs[4 * i + v])));
}

template <class Rows>
Step structure_of_arrays(Backend&, const FourVariableArgs& args, const Rows& rows) {
  return with_types(args.precision, [&]<class S, class C>() {
    return row_step(rows, [rows, g = args.grid, q = four_views<S>(args.q),
                           rhs = four_views<const S>(args.rhs), dt = C(args.dt)] {
      rows(rows_of(g), [&](Index row) {
        const RowIndex at(g);
        const int j = at.j(row), k = at.k(row);
        auto of = [&](const auto& views, int v) { return views.variable[v].row(j, k); };
        advance_row(of(q, 0), of(q, 1), of(q, 2), of(q, 3), of(rhs, 0), of(rhs, 1), of(rhs, 2), of(rhs, 3),
                    dt, g.nx);
      });
    });
  });
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
  const Field q(backend, interleaved(args.grid), args.precision),
      rhs(backend, interleaved(args.grid), args.precision);
  return with_types(args.precision, [&]<class S, class C>() {
    Step step = row_step(
        rows, [=, g = args.grid, to = q.view().as<S>(), from = rhs.view().as<const S>(), dt = C(args.dt)] {
          rows(rows_of(g), [&](Index row) {
            const RowIndex at(g);
            advance_structures(to.row(at.j(row), at.k(row)), from.row(at.j(row), at.k(row)), dt, g.nx);
          });
        });
    step.load = [=] {
      auto in = [](const S& array, S& structure) { structure = array; };
      for_each_value(rows, args.grid, four_views<const S>(args.q), q.view(), in);
      for_each_value(rows, args.grid, four_views<const S>(args.rhs), rhs.view(), in);
    };
    step.store = [=] {
      for_each_value(rows, args.grid, four_views<S>(args.q), q.view(),
                     [](S& array, const S& structure) { array = structure; });
    };
    return step;
  });
}

}  // namespace

Methods<FourVariableArgs> four_variable_serial() {
  return {{"structure_of_arrays",
           {},
           [](Backend& b, const FourVariableArgs& a, const Config&) {
             return structure_of_arrays(b, a, SerialRows{});
           }},
          {"array_of_structures", {}, [](Backend& b, const FourVariableArgs& a, const Config&) {
             return array_of_structures(b, a, SerialRows{});
           }}};
}

Methods<FourVariableArgs> four_variable_openmp() {
  return {{"structure_of_arrays", openmp_space(),
           [](Backend& b, const FourVariableArgs& a, const Config& c) {
             return structure_of_arrays(b, a, openmp_rows(c));
           }},
          {"array_of_structures", openmp_space(), [](Backend& b, const FourVariableArgs& a, const Config& c) {
             return array_of_structures(b, a, openmp_rows(c));
           }}};
}

}  // namespace cfdmark
