#include <cmath>

#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {
namespace {

template <int dims, class S, class C, class ARow>
[[gnu::always_inline]] inline void relax_row(const ARow a, const RowNeighbourhood<S, C> u, const S* b, S* out,
                                             int nx) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 0; i < nx; ++i) out[i] = S(stencil_relax<dims, C>(a.at(i), u.at(i), C(b[i])));
}

template <class Rows>
Step plain(const JacobiArgs& args, const Rows& rows) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return row_step(rows, [rows, a, grid = args.grid, u = args.u.as<const S>(), b = args.b.as<const S>(),
                           out = args.out.as<S>()] {
      rows(rows_of(grid), [=](Index row) {
        const RowIndex at(grid);
        const int j = at.j(row), k = at.k(row);
        relax_row<dims>(operator_row<dims>(a, j, k), RowNeighbourhood<S, C>(u, j, k), b.row(j, k),
                        out.row(j, k), grid.nx);
      });
    });
  });
}

// The sweep as one writes it in C, for the five-point operator with constant weights: what the serial method
// must keep up with. The compiler may take it that nothing overlaps, as it may in the methods above.
template <class T>
void c_loop_sweep(int nx, int ny, long pitch, T wx, T wy, T inverse_centre, const T* __restrict u,
                  const T* __restrict b, T* __restrict out) {
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const long c = j * pitch + i;
      const T sum = std::fma(wy, u[c - pitch] + u[c + pitch], b[c]);
      out[c] = std::fma(wx, u[c - 1] + u[c + 1], sum) * inverse_centre;
    }
  }
}

std::string c_loop_unsupported(const JacobiArgs& args) {
  if (!args.a.constant || args.grid.is_3d()) return "the plain C loop is written for constant weights in 2-D";
  if (args.precision == Precision::mixed) return "the plain C loop is written for one type of numbers";
  return "";
}

Step c_loop(Backend&, const JacobiArgs& args, const Config&) {
  return with_types(args.precision, [&]<class S, class>() {
    Step step;
    step.run = [g = args.grid, a = args.a.as_constant<S>(), u = args.u.as<const S>(),
                b = args.b.as<const S>(), out = args.out.as<S>()] {
      c_loop_sweep<S>(g.nx, g.ny, long(g.pitch()), a.wx, a.wy, a.inverse_centre, u.origin, b.origin,
                      out.origin);
    };
    return step;
  });
}

}  // namespace

Methods<JacobiArgs> jacobi_serial() {
  return {{"plain", {}, [](Backend&, const JacobiArgs& a, const Config&) { return plain(a, SerialRows{}); }},
          {"c_loop", {}, c_loop, c_loop_unsupported, nullptr, 0, false}};
}

Methods<JacobiArgs> jacobi_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const JacobiArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }},
          {"chunked", openmp_chunk_space(),
           [](Backend&, const JacobiArgs& a, const Config& c) { return plain(a, openmp_chunks(c)); }}};
}

}  // namespace cfdmark
