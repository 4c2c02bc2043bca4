#include "kernels/backends/cpu_rows.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {
namespace {

template <class Rows>
Step plain(const JacobiArgs& args, const Rows& rows) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return row_step(rows, [rows, a, grid = args.grid, u = args.u.as<const S>(), b = args.b.as<const S>(),
                           out = args.out.as<S>()] {
      rows(rows_of(grid), [&](Index row) {
        const RowIndex at(grid);
        const int j = at.j(row), k = at.k(row);
        S* to = out.row(j, k);
        const S* right = b.row(j, k);
#pragma omp simd
        for (int i = 0; i < grid.nx; ++i)
          to[i] = S(stencil_relax<dims, C>(a.template at<dims>(i, j, k), Neighbourhood<S, C>(u, i, j, k),
                                           C(right[i])));
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
