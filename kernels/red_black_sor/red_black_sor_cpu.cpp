#include <algorithm>
#include <cmath>

#include "kernels/backends/cells_cpu.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {
namespace {

// Layers (rows in 2-D, planes in 3-D) of a block, streamed: red of a layer, then black of the one behind it,
// while both are in cache. A block's first and last red layers are done before any block streams, so that no
// red update sees a black value of a neighbouring block that is already new.
template <class Rows>
Step fused(const RedBlackArgs& args, const Rows& rows) {
  return with_views(args, [&]<class V>(const RedBlackSor::Fields<V>& fields) {
    return row_step(rows, [rows, fields, grid = args.grid(), parts = parts_of(args)] {
      const int layers = grid.is_3d() ? grid.nz : grid.ny;
      const int blocks = std::min(threads_of(rows), layers);
      auto relax_layer = [&](int colour, int layer) {
        const RedBlackSor kernel = parts[colour];
        if (V::dims == 2) return sweep_row<V>(kernel, fields, layer, 0, grid.nx);
        for (int j = 0; j < grid.ny; ++j) sweep_row<V>(kernel, fields, j, layer, grid.nx);
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
  if (!args.fields.a.constant || args.grid().is_3d())
    return "the plain C loop is written for constant weights in 2-D";
  if (args.precision == Precision::mixed) return "the plain C loop is written for one type of numbers";
  if (args.fields.u.pitch != args.fields.b.pitch) return "the plain C loop is written for one layout";
  return only_red_black(args);
}

Step c_loop(Backend&, const RedBlackArgs& args, const Config&) {
  return with_types(args.precision, [&]<class S, class>() {
    Step step;
    step.run = [g = args.grid(), pitch = long(args.fields.u.pitch), a = args.fields.a.as_constant<S>(),
                omega = S(args.kernel.omega), u = args.fields.u.as<S>(), b = args.fields.b.as<const S>()] {
      for (int colour : {g.parity, 1 - g.parity})
        c_loop_sweep<S>(g.nx, g.ny, pitch, a.wx, a.wy, a.inverse_centre, omega, colour, u.origin, b.origin);
    };
    return step;
  });
}

}  // namespace

Methods<RedBlackArgs> red_black_serial() {
  return {{.name = "fused",
           .space = {},
           .prepare = [](Backend&, const RedBlackArgs& a, const Config&) { return fused(a, SerialRows{}); },
           .unsupported = only_red_black,
           .cost = red_black_fused_cost},
          {.name = "c_loop",
           .space = {},
           .prepare = c_loop,
           .unsupported = c_loop_unsupported,
           .for_solvers = false}};
}

Methods<RedBlackArgs> red_black_openmp() {
  return {
      {.name = "fused",
       .space = openmp_space(),
       .prepare = [](Backend&, const RedBlackArgs& a, const Config& c) { return fused(a, openmp_rows(c)); },
       .unsupported = only_red_black,
       .cost = red_black_fused_cost}};
}

}  // namespace cfdmark
