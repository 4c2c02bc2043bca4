#include "kernels/axpby/axpby.hpp"
#include "kernels/axpby/axpby_formula.hpp"
#include "kernels/backends/built.hpp"
#include "kernels/backends/cpu_rows.hpp"

namespace cfdmark {
namespace {

template <class Rows>
Step plain(const AxpbyArgs& args, const Rows& rows) {
  return with_axpby_types(args, [&]<class X, class Y, class C>() {
    return row_step(rows, [rows, args, x = args.x.as<const X>(), y = args.y.as<Y>()] {
      const C alpha = scalar_value<C>(args.alpha), beta = scalar_value<C>(args.beta);
      const bool reads_y = args.reads_y();
      rows(rows_of(args.grid), [&](Index row) {
        const RowIndex at(args.grid);
        const X* from = x.row(at.j(row), at.k(row));
        Y* to = y.row(at.j(row), at.k(row));
        const int nx = args.grid.nx;
        if (reads_y) {
#pragma omp simd
          for (int i = 0; i < nx; ++i) to[i] = Y(axpby_value(alpha, C(from[i]), beta, C(to[i])));
        } else {
#pragma omp simd
          for (int i = 0; i < nx; ++i) to[i] = Y(alpha * C(from[i]));
        }
      });
    });
  });
}

}  // namespace

Methods<AxpbyArgs> axpby_serial() {
  return {{"plain", {}, [](Backend&, const AxpbyArgs& a, const Config&) { return plain(a, SerialRows{}); }}};
}

Methods<AxpbyArgs> axpby_openmp() {
  Methods<AxpbyArgs> methods = {{"plain", openmp_space(), [](Backend&, const AxpbyArgs& a, const Config& c) {
                                   return plain(a, openmp_rows(c));
                                 }}};
  if constexpr (built_with_openblas) methods.push_back(axpby_openblas());
  return methods;
}

}  // namespace cfdmark
