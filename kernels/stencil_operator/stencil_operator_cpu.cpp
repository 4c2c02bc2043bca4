#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/stencil_operator/stencil_operator.hpp"

namespace cfdmark {
namespace {

template <int dims, StencilOperation operation, class S, class C, class ARow>
[[gnu::always_inline]] inline void sweep_row(const ARow a, const RowNeighbourhood<S, C> u, const S* b, S* out,
                                             int nx) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 0; i < nx; ++i)
    out[i] = S(operation == StencilOperation::apply ? stencil_apply<dims, C>(a.at(i), u.at(i))
                                                    : stencil_residual<dims, C>(a.at(i), u.at(i), C(b[i])));
}

template <class S, class C, int dims, StencilOperation operation, class A, class Rows>
Step sweep(const StencilArgs& args, const A& a, const Rows& rows) {
  const auto u = args.u.as<const S>();
  const auto b = (operation == StencilOperation::residual ? args.b : args.u).template as<const S>();
  const auto out = args.out.as<S>();
  return row_step(rows, [=, grid = args.grid] {
    rows(rows_of(grid), [=](Index row) {
      const RowIndex at(grid);
      const int j = at.j(row), k = at.k(row);
      sweep_row<dims, operation>(operator_row<dims>(a, j, k), RowNeighbourhood<S, C>(u, j, k), b.row(j, k),
                                 out.row(j, k), grid.nx);
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
  return {
      {"plain", {}, [](Backend&, const StencilArgs& a, const Config&) { return plain(a, SerialRows{}); }}};
}

Methods<StencilArgs> stencil_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const StencilArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }},
          {"chunked", openmp_chunk_space(),
           [](Backend&, const StencilArgs& a, const Config& c) { return plain(a, openmp_chunks(c)); }}};
}

}  // namespace cfdmark
