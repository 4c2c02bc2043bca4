#include "kernels/backends/cpu_rows.hpp"
#include "kernels/stream/stream.hpp"
#include "kernels/stream/stream_formula.hpp"

namespace cfdmark {
namespace {

template <class Rows>
Step copy_step(const StreamArgs& args, const Rows& rows) {
  return with_types(args.precision, [&]<class S, class C>() {
    return row_step(rows, [rows, grid = args.grid, b = args.b.as<const S>(), a = args.a.as<S>()] {
      rows(rows_of(grid), [&](Index row) {
        const RowIndex at(grid);
        const S* from = b.row(at.j(row), at.k(row));
        S* to = a.row(at.j(row), at.k(row));
#pragma omp simd
        for (int i = 0; i < grid.nx; ++i) to[i] = from[i];
      });
    });
  });
}

template <class Rows>
Step triad_step(const StreamArgs& args, const Rows& rows) {
  return with_types(args.precision, [&]<class S, class C>() {
    return row_step(rows, [rows, grid = args.grid, s = C(args.s), b = args.b.as<const S>(),
                           c = args.c.as<const S>(), a = args.a.as<S>()] {
      rows(rows_of(grid), [&](Index row) {
        const RowIndex at(grid);
        const S* from_b = b.row(at.j(row), at.k(row));
        const S* from_c = c.row(at.j(row), at.k(row));
        S* to = a.row(at.j(row), at.k(row));
#pragma omp simd
        for (int i = 0; i < grid.nx; ++i) to[i] = S(triad_value(C(from_b[i]), s, C(from_c[i])));
      });
    });
  });
}

template <class Rows>
Step plain(const StreamArgs& args, const Rows& rows) {
  return args.operation == StreamOperation::copy ? copy_step(args, rows) : triad_step(args, rows);
}

}  // namespace

Methods<StreamArgs> stream_serial() {
  return {{"plain", {}, [](Backend&, const StreamArgs& a, const Config&) { return plain(a, SerialRows{}); }}};
}

Methods<StreamArgs> stream_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const StreamArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }}};
}

}  // namespace cfdmark
