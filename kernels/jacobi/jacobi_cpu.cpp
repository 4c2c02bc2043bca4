#include <array>
#include <cmath>
#include <optional>

#include "kernels/cells/cpu/wavefront_cpu.hpp"
#include "kernels/device/field.hpp"
#include "kernels/jacobi/jacobi_methods.hpp"
#include "kernels/residual/residual_rows.hpp"

namespace cfdmark {
namespace {

// Copies the ghosts of a field, but no interior cells.
template <class T>
void copy_ghosts(const View<const T>& from, const View<T>& to, const Grid& g) {
  const int above = g.is_3d() ? g.halo : 0;
  for (int k = -above; k < g.nz + above; ++k)
    for (int j = -g.halo; j < g.ny + g.halo; ++j) {
      const bool has_cells = j >= 0 && j < g.ny && k >= 0 && k < g.nz;
      for (int i = -g.halo; i < g.nx + g.halo; i = has_cells && i == -1 ? g.nx : i + 1)
        to(i, j, k) = from(i, j, k);
    }
}

// Returns a step from u to out through two alternating fields with u's ghosts: each iteration reads one and
// writes the other, which the previous iteration has finished reading. A requested residual runs as one more
// iteration at the end.
Step wavefront(Backend& backend, const CellArgs<Jacobi>& args, const HostRows& rows, const Config& config,
               const std::optional<ResidualRows>& residual = {}) {
  const Grid grid = args.grid();
  const int sweeps = config.integer(sweeps_of_a_run);
  const int depth = wavefront_depth(config.integer("depth"), grid, rows.threads());
  const std::array<Field, 2> between = {Field(backend, grid, args.precision),
                                        Field(backend, grid, args.precision)};
  return dispatch_types(args, [&]<class V>(const Jacobi::Fields<V>& fields) {
    using S = typename V::Stored;
    const auto left = args.fields.out.template as<const S>();
    return row_step(rows, [=, kernel = args.kernel] {
      const View<S> views[2] = {between[0].view().template as<S>(), between[1].view().template as<S>()};
      for (int n = 0; n < std::min(sweeps - 1, 2); ++n) copy_ghosts<S>(fields.u, views[n], grid);
      const auto sweep = [=, one = views[0], other = views[1],
                          from_one = between[0].view().template as<const S>(),
                          from_other = between[1].view().template as<const S>(),
                          rows_of_residual = residual ? &*residual : nullptr](int n, int layer) {
        if (n == sweeps) return rows_of_residual->make_layer<V>({fields.a, left, fields.b}, layer);
        Jacobi::Fields<V> at = fields;
        if (n > 0) at.u = n % 2 ? from_one : from_other;
        if (n < sweeps - 1) at.out = n % 2 ? other : one;
        sweep_layer<V>(kernel, at, grid, layer);
      };
      in_wavefronts(rows, layers_of(grid), sweeps + residual.has_value(), depth, sweep);
      if (residual) residual->add_rows();
    });
  });
}

// Returns the cost. A pass reads u and b and writes the alternating fields; both return to memory, except one
// in the last pass.
Cost wavefront_cost(const CellArgs<Jacobi>& args, const Config& config) {
  Cost cost = cell_cost(args);
  const double words = cost.bytes / cost.cells / double(stored_bytes(args.precision));
  const int passes = wavefront_passes(config, args.grid(), 1), sweeps = config.integer(sweeps_of_a_run);
  cost.bytes = cost.cells * double(stored_bytes(args.precision)) * (words + 1) * passes / sweeps;
  return cost;
}

Cost cost_with_residual(const SweepsAndResidual<Jacobi>& args, const Config& config) {
  return wavefront_with_residual_cost(args, config, 1, wavefront_cost(args.sweeps, config),
                                      cell_cost(args.sweeps));
}

template <auto rows_of>
Method<SweepsAndResidual<Jacobi>> wavefront_with_residual(const TuningSpace& space) {
  return {.name = "wavefront",
          .space = wavefront_space(space),
          .prepare =
              [](Backend& on, const SweepsAndResidual<Jacobi>& a, const Config& c) {
                return wavefront(on, a.sweeps, rows_of(c), c, ResidualRows(a.sweeps.grid(), a.square));
              },
          .config_cost = cost_with_residual,
          .steps = sweeps_of_a_run};
}

template <auto rows_of>
Method<CellArgs<Jacobi>> wavefront_method(const TuningSpace& space) {
  return {.name = "wavefront",
          .space = wavefront_space(space),
          .prepare = [](Backend& on, const CellArgs<Jacobi>& a,
                        const Config& c) { return wavefront(on, a, rows_of(c), c); },
          .config_cost = wavefront_cost,
          .steps = sweeps_of_a_run};
}

// The iteration as a plain C loop for the five-point operator with constant weights: the baseline for the
// serial method. `__restrict` allows the same assumption of no overlap as in the methods above.
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

std::string c_loop_unsupported(const CellArgs<Jacobi>& args) {
  if (!args.fields.a.constant || args.grid().is_3d())
    return "the plain C loop requires constant weights in 2-D";
  if (args.precision == Precision::mixed) return "the plain C loop requires fp32 or fp64";
  if (args.fields.u.pitch != args.fields.b.pitch || args.fields.u.pitch != args.fields.out.pitch)
    return "the plain C loop requires fields of one pitch";
  return "";
}

Step c_loop(Backend&, const CellArgs<Jacobi>& args, const Config&) {
  return with_types(args.precision, [&]<class S, class>() {
    Step step;
    step.run = [g = args.grid(), pitch = long(args.fields.u.pitch), a = args.fields.a.as_constant<S>(),
                u = args.fields.u.as<const S>(), b = args.fields.b.as<const S>(),
                out = args.fields.out.as<S>()] {
      c_loop_sweep<S>(g.nx, g.ny, pitch, a.wx, a.wy, a.inverse_centre, u.origin, b.origin, out.origin);
    };
    return step;
  });
}

}  // namespace

Methods<CellArgs<Jacobi>> jacobi_serial() {
  return {wavefront_method<serial_rows>({}),
          {.name = "c_loop",
           .space = {},
           .prepare = c_loop,
           .unsupported = c_loop_unsupported,
           .for_solvers = false}};
}

Methods<SweepsAndResidual<Jacobi>> jacobi_with_residual(BackendKind kind) {
  if (kind == BackendKind::serial) return {wavefront_with_residual<serial_rows>({})};
  if (kind == BackendKind::openmp) return {wavefront_with_residual<openmp_rows>(openmp_space())};
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) return jacobi_with_residual_cuda();
  return {};
}

Methods<CellArgs<Jacobi>> jacobi_openmp() { return {wavefront_method<openmp_rows>(openmp_space())}; }

}  // namespace cfdmark
