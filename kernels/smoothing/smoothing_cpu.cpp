#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/smoothing/smoothing.hpp"
#include "kernels/smoothing/smoothing_formula.hpp"

namespace cfdmark {
namespace {

template <class S, class C>
[[gnu::always_inline]] inline void smooth_row(const RowNeighbourhood<S, C> u, C s, S* out, int nx) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 0; i < nx; ++i) out[i] = S(smoothed<C>(u.at(i), s));
}

template <class Rows>
Step plain(const SmoothingArgs& args, const Rows& rows) {
  return with_types(args.precision, [&]<class S, class C>() {
    return row_step(
        rows, [rows, grid = args.grid, s = C(args.s), u = args.u.as<const S>(), out = args.out.as<S>()] {
          rows(rows_of(grid), [&](Index row) {
            const RowIndex at(grid);
            const int j = at.j(row), k = at.k(row);
            smooth_row(RowNeighbourhood<S, C>(u, j, k), s, out.row(j, k), grid.nx);
          });
        });
  });
}

}  // namespace

Methods<SmoothingArgs> smoothing_serial() {
  return {
      {"plain", {}, [](Backend&, const SmoothingArgs& a, const Config&) { return plain(a, SerialRows{}); }}};
}

Methods<SmoothingArgs> smoothing_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const SmoothingArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }},
          {"chunked", openmp_chunk_space(),
           [](Backend&, const SmoothingArgs& a, const Config& c) { return plain(a, openmp_chunks(c)); }}};
}

}  // namespace cfdmark
