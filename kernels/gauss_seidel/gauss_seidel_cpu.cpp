#include "kernels/backends/cpu_rows.hpp"
#include "kernels/gauss_seidel/gauss_seidel.hpp"

namespace cfdmark {
namespace {

Step plain(Backend&, const GaussSeidelArgs& args, const Config&) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return row_step(SerialRows{}, [a, grid = args.grid, u = args.u.as<S>(), b = args.b.as<const S>(),
                                   omega = C(args.omega)] {
      const View<const S> old(u.origin, grid);
      for (int k = 0; k < grid.nz; ++k)
        for (int j = 0; j < grid.ny; ++j)
          for (int i = 0; i < grid.nx; ++i)
            u(i, j, k) = S(stencil_over_relax<dims, C>(
                a.template at<dims>(i, j, k), Neighbourhood<S, C>(old, i, j, k), C(b(i, j, k)), omega));
    });
  });
}

}  // namespace

Methods<GaussSeidelArgs> gauss_seidel_serial() { return {{"plain", {}, plain}}; }

}  // namespace cfdmark
