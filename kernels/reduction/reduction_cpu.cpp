#include <memory>

#include "kernels/backends/cpu_rows.hpp"
#include "kernels/reduction/reduction.hpp"
#include "kernels/reduction/reduction_formula.hpp"

namespace cfdmark {
namespace {

// Independent running values, so that neither the latency of an addition nor a vector's width limits the row;
// a fixed number, so that the result does not depend on the instruction set.
constexpr int lanes = 32;

template <class Op, class S, class C>
double reduce_row(const S* x, const S* y, int nx) {
  C running[lanes] = {};
  int i = 0;
  for (; i + lanes <= nx; i += lanes)
#pragma omp simd
    for (int lane = 0; lane < lanes; ++lane)
      running[lane] = Op::template add<C>(running[lane], C(x[i + lane]), C(y[i + lane]));
  for (int lane = 0; i < nx; ++i, ++lane) running[lane] = Op::template add<C>(running[lane], C(x[i]), C(y[i]));
  double total = 0;
  for (C value : running) total = Op::template join<double>(total, double(value));
  return total;
}

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
    switch (args.operation) {
      case ReductionOperation::sum: return reduce<SumOperation, S, C>(args, rows);
      case ReductionOperation::dot: return reduce<DotOperation, S, C>(args, rows);
      case ReductionOperation::max_norm: break;
    }
    return reduce<MaxNormOperation, S, C>(args, rows);
  });
}

}  // namespace

Methods<ReductionArgs> reduction_serial() {
  return {{"plain", {}, [](Backend&, const ReductionArgs& a, const Config&) { return plain(a, SerialRows{}); }}};
}

Methods<ReductionArgs> reduction_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const ReductionArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }}};
}

}  // namespace cfdmark
