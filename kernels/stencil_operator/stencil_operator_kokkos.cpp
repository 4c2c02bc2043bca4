#include "kernels/backends/kokkos_cells.hpp"
#include "kernels/stencil_operator/stencil_operator.hpp"

namespace cfdmark {
namespace {

template <class S, class C, int dims, class A>
struct Apply {
  A a;
  KokkosField<const S> u;
  KokkosField<S> out;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    const KokkosNeighbourhood<C, KokkosField<const S>> around{u, i, j, k};
    out(i, j, k) = S(stencil_apply<dims, C>(a.template at<dims>(i, int(j), int(k)), around));
  }
};

template <class S, class C, int dims, class A>
struct Residual {
  A a;
  KokkosField<const S> u, b;
  KokkosField<S> out;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    const KokkosNeighbourhood<C, KokkosField<const S>> around{u, i, j, k};
    out(i, j, k) =
        S(stencil_residual<dims, C>(a.template at<dims>(i, int(j), int(k)), around, C(b(i, j, k))));
  }
};

template <class Cells>
Step sweep(const StencilArgs& args, const Cells& cells) {
  return with_operator(args.precision, args.a, args.grid,
                       [&]<class S, class C, int dims, class A>(const A& a) {
                         const KokkosField<const S> u(args.u);
                         const KokkosField<S> out(args.out);
                         if (args.operation == StencilOperation::apply)
                           return kokkos_step("apply", cells, args.grid, Apply<S, C, dims, A>{a, u, out});
                         return kokkos_step("residual", cells, args.grid,
                                            Residual<S, C, dims, A>{a, u, KokkosField<const S>(args.b), out});
                       });
}

}  // namespace

Methods<StencilArgs> stencil_kokkos() {
  return {{"plain", {}, [](Backend&, const StencilArgs& a, const Config&) { return sweep(a, KokkosRows{}); }},
          {"mdrange", kokkos_tile_space(),
           [](Backend&, const StencilArgs& a, const Config& c) { return sweep(a, KokkosTiles(c)); }}};
}

}  // namespace cfdmark
