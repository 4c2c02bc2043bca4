#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {
namespace {

template <int dims, class S, class C, class ARow>
void relax_row(const ARow a, const RowNeighbourhood<S, C> u, const S* b, S* out, int nx) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 0; i < nx; ++i) out[i] = S(stencil_relax<dims, C>(a.at(i), u.at(i), C(b[i])));
}

template <class Rows>
Step plain(const JacobiArgs& args, const Rows& rows) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return row_step(rows, [rows, a, grid = args.grid, u = args.u.as<const S>(), b = args.b.as<const S>(),
                           out = args.out.as<S>()] {
      rows(rows_of(grid), [&](Index row) {
        const RowIndex at(grid);
        const int j = at.j(row), k = at.k(row);
        relax_row<dims>(operator_row<dims>(a, j, k), RowNeighbourhood<S, C>(u, j, k), b.row(j, k), out.row(j, k), grid.nx);
      });
    });
  });
}

}  // namespace

Methods<JacobiArgs> jacobi_serial() {
  return {{"plain", {}, [](Backend&, const JacobiArgs& a, const Config&) { return plain(a, SerialRows{}); }}};
}

Methods<JacobiArgs> jacobi_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const JacobiArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }}};
}

}  // namespace cfdmark
