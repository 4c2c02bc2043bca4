#include <cmath>

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {
namespace {

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

std::string c_loop_unsupported(const CellArgs<Jacobi>& args) {
  if (!args.fields.a.constant || args.grid().is_3d())
    return "the plain C loop is written for constant weights in 2-D";
  if (args.precision == Precision::mixed) return "the plain C loop is written for one type of numbers";
  if (args.fields.u.pitch != args.fields.b.pitch || args.fields.u.pitch != args.fields.out.pitch)
    return "the plain C loop is written for one layout";
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
  return {{.name = "c_loop",
           .space = {},
           .prepare = c_loop,
           .unsupported = c_loop_unsupported,
           .for_solvers = false}};
}

}  // namespace cfdmark
