#include "kernels/backends/cpu_rows.hpp"
#include "kernels/stencil_operator/stencil_operator.hpp"

namespace cfdmark {
namespace {

template <class S, class C, int dims, StencilOperation operation, class A, class Rows>
Step sweep(const StencilArgs& args, const A& a, const Rows& rows) {
  const auto u = args.u.as<const S>();
  const auto b = (operation == StencilOperation::residual ? args.b : args.u).template as<const S>();
  const auto out = args.out.as<S>();
  return row_step(rows, [=, grid = args.grid] {
    rows(rows_of(grid), [&](Index row) {
      const RowIndex at(grid);
      const int j = at.j(row), k = at.k(row);
      S* to = out.row(j, k);
      const S* right = b.row(j, k);
#pragma omp simd
      for (int i = 0; i < grid.nx; ++i) {
        const auto cell = a.template at<dims>(i, j, k);
        const Neighbourhood<S, C> around(u, i, j, k);
        if constexpr (operation == StencilOperation::apply)
          to[i] = S(stencil_apply<dims, C>(cell, around));
        else
          to[i] = S(stencil_residual<dims, C>(cell, around, C(right[i])));
      }
    });
  });
}

template <class Rows>
Step plain(const StencilArgs& args, const Rows& rows) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return args.operation == StencilOperation::apply
               ? sweep<S, C, dims, StencilOperation::apply>(args, a, rows)
               : sweep<S, C, dims, StencilOperation::residual>(args, a, rows);
  });
}

}  // namespace

Methods<StencilArgs> stencil_serial() {
  return {{"plain", {}, [](Backend&, const StencilArgs& a, const Config&) { return plain(a, SerialRows{}); }}};
}

Methods<StencilArgs> stencil_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const StencilArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }}};
}

}  // namespace cfdmark
