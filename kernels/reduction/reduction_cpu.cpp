#include <memory>

#include "kernels/backends/built.hpp"
#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_reduction.hpp"
#include "kernels/reduction/reduction.hpp"

namespace cfdmark {
namespace {

template <class Op, class S, class C, class Rows>
Step reduce(const ReductionArgs& args, const Rows& rows) {
  auto partial = std::make_shared<std::vector<double>>(rows_of(args.grid));
  const auto x = args.x.as<const S>(), y = (args.y.origin ? args.y : args.x).template as<const S>();
  return row_step(rows, [=] {
    rows(rows_of(args.grid), [&](Index row) {
      const RowIndex at(args.grid);
      (*partial)[row] =
          reduce_row<Op, S, C>(x.row(at.j(row), at.k(row)), y.row(at.j(row), at.k(row)), args.grid.nx);
    });
    double total = 0;
    for (double value : *partial) total = Op::template join<double>(total, value);
    *args.result = total;
  });
}

template <class Rows>
Step plain(const ReductionArgs& args, const Rows& rows) {
  return with_types(args.precision, [&]<class S, class C>() {
    return with_operation(args.operation, [&]<class Op>() { return reduce<Op, S, C>(args, rows); });
  });
}

template <class S, class C>
void multiply_row(const S* x, const S* y, C* product, int nx) {
#pragma omp simd
  for (int i = 0; i < nx; ++i) product[i] = C(x[i]) * C(y[i]);
}

template <class Rows>
Step two_pass(Backend& backend, const ReductionArgs& args, const Rows& rows) {
  const Field products(backend, args.grid, arithmetic_of(args.precision));
  Step multiply = with_types(args.precision, [&]<class S, class C>() {
    return row_step(rows, [=, grid = args.grid, x = args.x.as<const S>(), y = args.y.as<const S>()] {
      const auto to = products.view().as<C>();
      rows(rows_of(grid), [&](Index row) {
        const RowIndex at(grid);
        const int j = at.j(row), k = at.k(row);
        multiply_row(x.row(j, k), y.row(j, k), to.row(j, k), grid.nx);
      });
    });
  });
  return in_turn(std::move(multiply), plain(sum_of_products(args, products.view()), rows));
}

}  // namespace

Methods<ReductionArgs> reduction_serial() {
  return {
      {"plain", {}, [](Backend&, const ReductionArgs& a, const Config&) { return plain(a, SerialRows{}); }},
      {"two_pass",
       {},
       [](Backend& b, const ReductionArgs& a, const Config&) { return two_pass(b, a, SerialRows{}); },
       only_dot_has_two_passes,
       reduction_two_pass_cost}};
}

Methods<ReductionArgs> reduction_openmp() {
  Methods<ReductionArgs> methods = {
      {"plain", openmp_space(),
       [](Backend&, const ReductionArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }},
      {"two_pass", openmp_space(),
       [](Backend& b, const ReductionArgs& a, const Config& c) { return two_pass(b, a, openmp_rows(c)); },
       only_dot_has_two_passes, reduction_two_pass_cost}};
  if constexpr (built_with_openblas) methods.push_back(reduction_openblas());
  return methods;
}

}  // namespace cfdmark
