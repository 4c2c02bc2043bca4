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
  Methods<ReductionArgs> methods = {
      {"plain", openmp_space(),
       [](Backend&, const ReductionArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }}};
  if constexpr (built_with_openblas) methods.push_back(reduction_openblas());
  return methods;
}

}  // namespace cfdmark
