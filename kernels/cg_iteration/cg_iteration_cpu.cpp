#include "kernels/cells/cpu/wavefront_cpu.hpp"
#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/cg_iteration/cg_iteration_row.hpp"

namespace cfdmark {
namespace {

// Returns a step of a pass that reduces one number per row.
template <class RowResult>
Step pass(const CgIterationArgs& args, const HostRows& rows, const RowResult& row_result) {
  return joined_row_step<SumOperation>(
      rows, rows_of(args.grid), args.result, [row_result, factor = args.factor] {
        return [&row_result, value = scalar_value<double>(factor)](Index first, Index end, double* numbers) {
          for (Index row = first; row < end; ++row) numbers[row] = row_result(row, value);
        };
      });
}

template <class S>
S* row_or_null(const View<S>& field, int j, int k) {
  return field.origin ? field.row(j, k) : nullptr;
}

// Computes the new direction of a layer (a row in 2-D, a plane in 3-D), and A p of the layer before while
// both are in cache.
template <class S, class C, int dims, class A>
Step direction(const CgIterationArgs& args, const A& a, const HostRows& rows) {
  auto parts = std::make_shared<std::vector<double>>(rows_of(args.grid));
  return row_step(rows, [=, grid = args.grid, factor = args.factor, result = args.result,
                         r = args.r.as<const S>(), before = args.p_before.as<const S>(), p = args.p.as<S>(),
                         q = args.q.as<S>()] {
    const CgDirection<S, C> made{r, before, C(scalar_value<double>(factor))};
    double* const sums = parts->data();
    in_wavefronts(rows, layers_of(grid), 2, 2, [=](int n, int layer) {
      const int first = grid.is_3d() ? 0 : layer, end = grid.is_3d() ? grid.ny : layer + 1;
      for (int j = first; j < end; ++j) {
        const int k = grid.is_3d() ? layer : 0;
        if (n == 0)
          made.fill(p.row(j, k), j, k, grid.nx);
        else
          sums[Index(k) * grid.ny + j] =
              cg_product_row<dims>(operator_row<dims>(a, j, k), made, p, row_or_null(q, j, k), j, k, grid);
      }
    });
    double total = 0;
    for (double of_row : *parts) total = SumOperation::join(total, of_row);
    *result = total;
  });
}

template <class S, class C, int dims, class A>
Step update(const CgIterationArgs& args, const A& a, const HostRows& rows) {
  return pass(args, rows,
              [=, at = RowIndex(args.grid), p = args.p.as<const S>(), q = args.q.as<const S>(),
               u = args.u.as<S>(), r = args.r.as<S>()](Index row, double alpha) {
                const int j = at.j(row), k = at.k(row);
                return cg_update_row<dims>(operator_row<dims>(a, j, k), RowNeighbourhood<S, C>(p, j, k),
                                           row_or_null(q, j, k), C(alpha), u.row(j, k), r.row(j, k), p.nx);
              });
}

Step plain(const CgIterationArgs& args, const HostRows& rows) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return args.pass == CgPass::direction ? direction<S, C, dims>(args, a, rows)
                                          : update<S, C, dims>(args, a, rows);
  });
}

}  // namespace

Methods<CgIterationArgs> cg_iteration_serial() {
  return {{"plain", {}, [](Backend&, const CgIterationArgs& a, const Config& c) {
             return plain(a, serial_rows(c));
           }}};
}

Methods<CgIterationArgs> cg_iteration_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const CgIterationArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }}};
}

}  // namespace cfdmark
