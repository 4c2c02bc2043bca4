#include <algorithm>
#include <cmath>

#include "kernels/backends/cells_cpu.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {
namespace {

constexpr const char* sweeps_of_a_step = "sweeps";

// Sweeps in one pass: a block must have layers left where each half sweep takes one less at both borders.
int depth_of(int wanted, int layers, int threads) { return std::clamp(layers / (4 * threads), 1, wanted); }

// Several sweeps in one pass over memory, by layers (rows in 2-D, planes in 3-D): each half sweep of a layer
// comes right after the half sweep before it of the next layer, so that a few layers stay in cache. Each
// thread has a block of layers. First it does what needs no other block, a layer less at each border for each
// half sweep; then the triangles that this left between the blocks:
//
//     layers    | block 0           | block 1           |
//     half 0    |###################|###################|
//     half 1    |################## . ##################|
//     half 2    |#################  .  #################|
//
// A cell reads the other colour only, and of that what the half sweep before left: the half sweep that a
// neighbouring layer may be ahead by has changed the cell's own colour.
template <class Rows>
Step wavefront(const RedBlackArgs& args, const Rows& rows, int depth, int sweeps) {
  return with_views(args, [&]<class V>(const RedBlackSor::Fields<V>& fields) {
    return row_step(rows, [rows, fields, grid = args.grid(), parts = parts_of(args), depth, sweeps] {
      const int layers = grid.is_3d() ? grid.nz : grid.ny;
      const auto relax_layer = [&](int half, int layer) {
        const RedBlackSor kernel = parts[half % 2];
        if (V::dims == 2) return sweep_row<V>(kernel, fields, layer, 0, grid.nx);
        for (int j = 0; j < grid.ny; ++j) sweep_row<V>(kernel, fields, j, layer, grid.nx);
      };
      const int deep = depth_of(depth, layers, threads_of(rows));
      for (int done = 0; done < sweeps; done += deep) {
        const int halves = 2 * std::min(deep, sweeps - done);
        const int blocks = std::clamp(layers / (2 * halves), 1, threads_of(rows));
        const auto border = [&](Index block) { return int(block * layers / blocks); };
        rows(blocks, [&](Index block) {
          const int begin = border(block), end = border(block + 1);
          const int less_below = block > 0, less_above = block + 1 < blocks;
          for (int front = begin; front < end + halves - 1; ++front)
            for (int half = 0; half < halves; ++half) {
              const int layer = front - half;
              if (layer >= begin + half * less_below && layer < end - half * less_above)
                relax_layer(half, layer);
            }
        });
        rows(blocks - 1, [&](Index block) {
          const int between = border(block + 1);
          for (int half = 1; half < halves; ++half)
            for (int layer = between - half; layer < between + half; ++layer) relax_layer(half, layer);
        });
      }
    });
  });
}

Cost wavefront_cost(const RedBlackArgs& args, const Config& config) {
  const Grid g = args.grid();
  const int threads = config.has("threads") ? config.whole("threads") : 1;
  const int depth = depth_of(config.whole("depth"), g.is_3d() ? g.nz : g.ny, threads);
  const int sweeps = config.whole(sweeps_of_a_step);
  Cost cost = red_black_fused_cost(args);
  cost.bytes *= double((sweeps + depth - 1) / depth) / sweeps;
  return cost;
}

// Of a method that makes several sweeps, after the settings of its rows.
TuningSpace wavefront_space(TuningSpace space) {
  space.settings.push_back({"depth", {1, 2, 4, 8}, 8, "sweeps in one pass over memory, at most"});
  space.settings.push_back({sweeps_of_a_step, {}, 16, "that one step makes"});
  return space;
}

SerialRows serial_rows(const Config&) { return {}; }

// One sweep in one pass, and several.
template <auto rows_of>
Methods<RedBlackArgs> in_one_pass(const TuningSpace& space) {
  return {{.name = "fused",
           .space = space,
           .prepare = [](Backend&, const RedBlackArgs& a,
                         const Config& c) { return wavefront(a, rows_of(c), 1, 1); },
           .unsupported = only_red_black,
           .cost = red_black_fused_cost},
          {.name = "wavefront",
           .space = wavefront_space(space),
           .prepare =
               [](Backend&, const RedBlackArgs& a, const Config& c) {
                 return wavefront(a, rows_of(c), c.whole("depth"), c.whole(sweeps_of_a_step));
               },
           .unsupported = only_red_black,
           .config_cost = wavefront_cost,
           .steps = sweeps_of_a_step}};
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
  Methods<RedBlackArgs> methods = in_one_pass<serial_rows>({});
  methods.push_back({.name = "c_loop",
                     .space = {},
                     .prepare = c_loop,
                     .unsupported = c_loop_unsupported,
                     .for_solvers = false});
  return methods;
}

Methods<RedBlackArgs> red_black_openmp() { return in_one_pass<openmp_rows>(openmp_space()); }

}  // namespace cfdmark
