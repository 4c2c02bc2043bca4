#include "kernels/backends/kokkos_cells.hpp"
#include "kernels/smoothing/smoothing.hpp"
#include "kernels/smoothing/smoothing_formula.hpp"

namespace cfdmark {
namespace {

template <class S, class C>
struct Smooth {
  C s;
  KokkosField<const S> u;
  KokkosField<S> out;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    out(i, j, k) = S(smoothed<C>(KokkosNeighbourhood<C, KokkosField<const S>>{u, i, j, k}, s));
  }
};

template <class Cells>
Step sweep(const SmoothingArgs& args, const Cells& cells) {
  return with_types(args.precision, [&]<class S, class C>() {
    const Smooth<S, C> smooth{C(args.s), KokkosField<const S>(args.u), KokkosField<S>(args.out)};
    return kokkos_step("smoothing", cells, args.grid, smooth);
  });
}

}  // namespace

Methods<SmoothingArgs> smoothing_kokkos() {
  return {
      {"plain", {}, [](Backend&, const SmoothingArgs& a, const Config&) { return sweep(a, KokkosRows{}); }},
      {"mdrange", kokkos_tile_space(),
       [](Backend&, const SmoothingArgs& a, const Config& c) { return sweep(a, KokkosTiles(c)); }}};
}

}  // namespace cfdmark
