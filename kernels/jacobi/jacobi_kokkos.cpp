#include "kernels/backends/kokkos_staged.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {
namespace {

template <class S, class C, int dims, class A>
struct Relax {
  using Stored = S;
  using Computed = C;

  A a;
  KokkosField<const S> u, b;
  KokkosField<S> out;

  template <class Around>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k,
                                              const Around& around) const {
    out(i, j, k) = S(stencil_relax<dims, C>(a.template at<dims>(i, int(j), int(k)), around, C(b(i, j, k))));
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    operator()(i, j, k, KokkosNeighbourhood<C, KokkosField<const S>>{u, i, j, k});
  }
  KOKKOS_FORCEINLINE_FUNCTION bool stages(KokkosIndex, KokkosIndex, KokkosIndex, bool) const { return true; }
};

template <class Cells>
Step sweep(const JacobiArgs& args, const Cells& cells) {
  return with_operator(
      args.precision, args.a, args.grid, [&]<class S, class C, int dims, class A>(const A& a) {
        const Relax<S, C, dims, A> relax{a, KokkosField<const S>(args.u), KokkosField<const S>(args.b),
                                         KokkosField<S>(args.out)};
        return kokkos_step("jacobi", cells, args.grid, relax);
      });
}

}  // namespace

Methods<JacobiArgs> jacobi_kokkos() {
  return {{"plain", {}, [](Backend&, const JacobiArgs& a, const Config&) { return sweep(a, KokkosRows{}); }},
          {"mdrange", kokkos_tile_space(),
           [](Backend&, const JacobiArgs& a, const Config& c) { return sweep(a, KokkosTiles(c)); }},
          {"team_scratch", kokkos_staged_space(),
           [](Backend&, const JacobiArgs& a, const Config& c) { return sweep(a, KokkosStagedTiles(c)); }}};
}

}  // namespace cfdmark
