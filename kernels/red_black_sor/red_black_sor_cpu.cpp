#include <algorithm>
#include <cmath>

#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"

namespace cfdmark {
namespace {

// Updates the cells of one colour in a row. Cells of one colour do not read each other.
template <int dims, class S, class C, class ARow>
[[gnu::always_inline]] inline void relax_cells(const ARow a, const RowNeighbourhood<S, C> old, const S* b,
                                               S* u, C omega, int parity, int nx) {
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = parity; i < nx; i += 2)
    u[i] = S(stencil_over_relax<dims, C>(a.at(i), old.at(i), C(b[i]), omega));
}

template <class S, class C, int dims, class A>
[[gnu::always_inline]] inline void relax_row(const A& a, const View<S>& u, const View<const S>& b, C omega,
                                             int colour, int j, int k) {
  const View<const S> old(u.origin, Grid{u.nx, u.ny, u.nz});
  relax_cells<dims>(operator_row<dims>(a, j, k), RowNeighbourhood<S, C>(old, j, k), b.row(j, k), u.row(j, k),
                    omega, (colour + j + k) & 1, u.nx);
}

template <class Rows>
Step plain(const RedBlackArgs& args, const Rows& rows) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return row_step(rows, [rows, a, grid = args.grid, u = args.u.as<S>(), b = args.b.as<const S>(),
                           omega = C(args.omega), colours = colours_of(args.order)] {
      for (int colour : colours)
        rows(rows_of(grid), [=](Index row) {
          const RowIndex at(grid);
          relax_row<S, C, dims>(a, u, b, omega, colour, at.j(row), at.k(row));
        });
    });
  });
}

// Layers (rows in 2-D, planes in 3-D) of a block, streamed: red of a layer, then black of the one behind it,
// while both are in cache. A block's first and last red layers are done before any block streams, so that no
// red update sees a black value of a neighbouring block that is already new.
template <class Rows>
Step fused(const RedBlackArgs& args, const Rows& rows) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return row_step(rows, [rows, a, grid = args.grid, u = args.u.as<S>(), b = args.b.as<const S>(),
                           omega = C(args.omega)] {
      const int layers = dims == 3 ? grid.nz : grid.ny;
      const int blocks = std::min(threads_of(rows), layers);
      auto relax_layer = [&](int colour, int layer) {
        if (dims == 2) return relax_row<S, C, dims>(a, u, b, omega, colour, layer, 0);
        for (int j = 0; j < grid.ny; ++j) relax_row<S, C, dims>(a, u, b, omega, colour, j, layer);
      };
      auto first = [&](Index block) { return int(block * layers / blocks); };
      rows(blocks, [&](Index block) {
        const int begin = first(block), end = first(block + 1);
        relax_layer(0, begin);
        if (end - 1 > begin) relax_layer(0, end - 1);
      });
      rows(blocks, [&](Index block) {
        const int begin = first(block), end = first(block + 1);
        for (int layer = begin + 1; layer <= end; ++layer) {
          if (layer < end - 1) relax_layer(0, layer);
          relax_layer(1, layer - 1);
        }
      });
    });
  });
}

std::string only_red_black(const RedBlackArgs& args) {
  return args.order == ColourOrder::red_black ? "" : "one pass does red, then black, and no other order";
}

// The sweep as one writes it in C, for the five-point operator with constant weights: what the serial methods
// must keep up with.
template <class T>
void c_loop_sweep(int nx, int ny, long pitch, T wx, T wy, T inverse_centre, T omega, int colour, T* u,
                  const T* __restrict b) {
  for (int j = 0; j < ny; ++j) {
    for (int i = (colour + j) % 2; i < nx; i += 2) {
      const long c = j * pitch + i;
      const T sum = std::fma(wy, u[c - pitch] + u[c + pitch], b[c]);
      const T relaxed = std::fma(wx, u[c - 1] + u[c + 1], sum) * inverse_centre;
      u[c] = std::fma(omega, relaxed - u[c], u[c]);
    }
  }
}

std::string c_loop_unsupported(const RedBlackArgs& args) {
  if (!args.a.constant || args.grid.is_3d()) return "the plain C loop is written for constant weights in 2-D";
  if (args.precision == Precision::mixed) return "the plain C loop is written for one type of numbers";
  return only_red_black(args);
}

Step c_loop(Backend&, const RedBlackArgs& args, const Config&) {
  return with_types(args.precision, [&]<class S, class>() {
    Step step;
    step.run = [g = args.grid, a = args.a.as_constant<S>(), omega = S(args.omega), u = args.u.as<S>(),
                b = args.b.as<const S>()] {
      for (int colour : {0, 1})
        c_loop_sweep<S>(g.nx, g.ny, long(g.pitch()), a.wx, a.wy, a.inverse_centre, omega, colour, u.origin,
                        b.origin);
    };
    return step;
  });
}

}  // namespace

Methods<RedBlackArgs> red_black_serial() {
  return {
      {"plain", {}, [](Backend&, const RedBlackArgs& a, const Config&) { return plain(a, SerialRows{}); }},
      {"fused",
       {},
       [](Backend&, const RedBlackArgs& a, const Config&) { return fused(a, SerialRows{}); },
       only_red_black,
       red_black_fused_cost},
      {"c_loop", {}, c_loop, c_loop_unsupported, nullptr, 0, false}};
}

Methods<RedBlackArgs> red_black_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const RedBlackArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }},
          {"fused", openmp_space(),
           [](Backend&, const RedBlackArgs& a, const Config& c) { return fused(a, openmp_rows(c)); },
           only_red_black, red_black_fused_cost},
          {"chunked", openmp_chunk_space(),
           [](Backend&, const RedBlackArgs& a, const Config& c) { return plain(a, openmp_chunks(c)); }}};
}

}  // namespace cfdmark
