#include "kernels/backends/kokkos_cells.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {
namespace {

template <class S, class C, int dims, class A>
struct Relax {
  A a;
  KokkosField<const S> u, b;
  KokkosField<S> out;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const KokkosNeighbourhood<C, KokkosField<const S>> around{u, i, j, k};
    out(i, j, k) = S(stencil_relax<dims, C>(a.template at<dims>(i, j, k), around, C(b(i, j, k))));
  }
};

template <class Cells>
Step sweep(const JacobiArgs& args, const Cells& cells) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims, class A>(const A& a) {
    const Relax<S, C, dims, A> relax{a, KokkosField<const S>(args.u), KokkosField<const S>(args.b),
                                     KokkosField<S>(args.out)};
    return kokkos_step("jacobi", cells, args.grid, relax);
  });
}

}  // namespace

Methods<JacobiArgs> jacobi_kokkos() {
  return {{"plain", {}, [](Backend&, const JacobiArgs& a, const Config&) { return sweep(a, KokkosRows{}); }},
          {"mdrange", kokkos_tile_space(),
           [](Backend&, const JacobiArgs& a, const Config& c) { return sweep(a, KokkosTiles(c)); }}};
}

}  // namespace cfdmark
