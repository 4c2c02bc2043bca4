#include "kernels/backends/kokkos_cells.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"

namespace cfdmark {
namespace {

// Every cell is visited and the cells of one colour are stored: as in the natural layout on every backend.
template <class S, class C, int dims, class A>
struct RelaxColour {
  A a;
  KokkosField<S> u;
  KokkosField<const S> b;
  C omega;
  int colour;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    if (((i + j + k) & 1) != colour) return;
    const KokkosNeighbourhood<C, KokkosField<S>> around{u, i, j, k};
    u(i, j, k) = S(stencil_over_relax<dims, C>(a.template at<dims>(i, j, k), around, C(b(i, j, k)), omega));
  }
};

template <class Cells>
Step sweep(const RedBlackArgs& args, const Cells& cells) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims, class A>(const A& a) {
    std::vector<RelaxColour<S, C, dims, A>> half_sweeps;
    for (int colour : colours_of(args.order))
      half_sweeps.push_back({a, KokkosField<S>(args.u), KokkosField<const S>(args.b), C(args.omega), colour});
    return kokkos_step("red_black_sor", cells, args.grid, half_sweeps);
  });
}

}  // namespace

Methods<RedBlackArgs> red_black_kokkos() {
  return {{"plain", {}, [](Backend&, const RedBlackArgs& a, const Config&) { return sweep(a, KokkosRows{}); }},
          {"mdrange", kokkos_tile_space(),
           [](Backend&, const RedBlackArgs& a, const Config& c) { return sweep(a, KokkosTiles(c)); }}};
}

}  // namespace cfdmark
