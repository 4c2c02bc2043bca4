#include <cmath>
#include <optional>

#include "kernels/cells/cpu/wavefront_cpu.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"
#include "kernels/residual/residual_rows.hpp"

namespace cfdmark {
namespace {

// Returns a step of several iterations. A cell reads only the other colour, so a neighbouring layer may be
// ahead by a half-step, which changed the cell's own colour. A requested residual runs as one more half-step
// at the end.
template <class K>
Step wavefront(const CellArgs<K>& args, const HostRows& rows, int depth, int sweeps,
               [[maybe_unused]] const std::optional<ResidualRows>& residual = {}) {
  return dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    const auto left = args.fields.u.template as<const typename V::Stored>();
    return row_step(rows, [=, grid = args.grid(), parts = parts_of(args),
                           halves = wavefront_depth(2 * depth, args.grid(), rows.threads())] {
      const auto sweep = [=, first = parts[0], second = parts[1],
                          rows_of_residual = residual ? &*residual : nullptr](int half, int layer) {
        if constexpr (std::is_same_v<K, RedBlackSor>)
          if (half == 2 * sweeps)
            return rows_of_residual->template make_layer<V>({fields.a, left, fields.b}, layer);
        sweep_layer<V>(half % 2 == 0 ? first : second, fields, grid, layer);
      };
      in_wavefronts(rows, layers_of(grid), 2 * sweeps + residual.has_value(), halves, sweep);
      if (residual) residual->add_rows();
    });
  });
}

template <class K>
Cost wavefront_cost(const CellArgs<K>& args, const Config& config) {
  Cost cost = red_black_fused_cost(args);
  cost.bytes *= double(wavefront_passes(config, args.grid(), 2)) / config.integer(sweeps_of_a_run);
  return cost;
}

// Returns the methods for one iteration in one pass and for several.
template <class K, auto rows_of>
Methods<CellArgs<K>> in_one_pass(const TuningSpace& space) {
  return {{.name = "fused",
           .space = space,
           .prepare = [](Backend&, const CellArgs<K>& a,
                         const Config& c) { return wavefront(a, rows_of(c), 1, 1); },
           .unsupported = only_red_black<K>,
           .cost = red_black_fused_cost<K>},
          {.name = "wavefront",
           .space = wavefront_space(space),
           .prepare =
               [](Backend&, const CellArgs<K>& a, const Config& c) {
                 return wavefront(a, rows_of(c), c.integer("depth"), c.integer(sweeps_of_a_run));
               },
           .unsupported = only_red_black<K>,
           .config_cost = wavefront_cost<K>,
           .steps = sweeps_of_a_run}};
}

Cost cost_with_residual(const SweepsAndResidual<RedBlackSor>& args, const Config& config) {
  return wavefront_with_residual_cost(args, config, 2, wavefront_cost(args.sweeps, config),
                                      red_black_fused_cost(args.sweeps));
}

template <auto rows_of>
Method<SweepsAndResidual<RedBlackSor>> wavefront_with_residual(const TuningSpace& space) {
  return {.name = "wavefront",
          .space = wavefront_space(space),
          .prepare =
              [](Backend&, const SweepsAndResidual<RedBlackSor>& a, const Config& c) {
                return wavefront(a.sweeps, rows_of(c), c.integer("depth"), c.integer(sweeps_of_a_run),
                                 ResidualRows(a.sweeps.grid(), a.square));
              },
          .unsupported = [](const SweepsAndResidual<RedBlackSor>& a) { return only_red_black(a.sweeps); },
          .config_cost = cost_with_residual,
          .steps = sweeps_of_a_run};
}

// The iteration as a plain C loop for the five-point operator with constant weights: the baseline for the
// serial methods.
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
    return "the plain C loop requires constant weights in 2-D";
  if (args.precision == Precision::mixed) return "the plain C loop requires fp32 or fp64";
  if (args.fields.u.pitch != args.fields.b.pitch) return "the plain C loop requires fields of one pitch";
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
  Methods<RedBlackArgs> methods = in_one_pass<RedBlackSor, serial_rows>({});
  methods.push_back({.name = "c_loop",
                     .space = {},
                     .prepare = c_loop,
                     .unsupported = c_loop_unsupported,
                     .for_solvers = false});
  return methods;
}

Methods<RedBlackArgs> red_black_openmp() { return in_one_pass<RedBlackSor, openmp_rows>(openmp_space()); }

Methods<SweepsAndResidual<RedBlackSor>> red_black_with_residual(BackendKind kind) {
  if (kind == BackendKind::serial) return {wavefront_with_residual<serial_rows>({})};
  if (kind == BackendKind::openmp) return {wavefront_with_residual<openmp_rows>(openmp_space())};
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) return red_black_with_residual_cuda();
  return {};
}

Methods<CellArgs<RedBlackLaplace>> red_black_laplace_serial() {
  return in_one_pass<RedBlackLaplace, serial_rows>({});
}
Methods<CellArgs<RedBlackLaplace>> red_black_laplace_openmp() {
  return in_one_pass<RedBlackLaplace, openmp_rows>(openmp_space());
}

}  // namespace cfdmark
