#include "kernels/backends/kokkos_staged.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"

namespace cfdmark {
namespace {

// The cells of one colour.
template <class S, class C, int dims, class A>
struct RelaxColour {
  using Stored = S;
  using Computed = C;

  A a;
  KokkosField<S> u;
  KokkosField<const S> b;
  C omega;
  int colour;

  KOKKOS_FORCEINLINE_FUNCTION bool is_coloured(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    return ((i + j + k) & 1) == colour;
  }

  template <class Around>
  KOKKOS_FORCEINLINE_FUNCTION S relaxed(KokkosIndex i, KokkosIndex j, KokkosIndex k,
                                        const Around& around) const {
    return S(
        stencil_over_relax<dims, C>(a.template at<dims>(i, int(j), int(k)), around, C(b(i, j, k)), omega));
  }
  KOKKOS_FORCEINLINE_FUNCTION S relaxed(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    return relaxed(i, j, k, KokkosNeighbourhood<C, KokkosField<S>>{u, i, j, k});
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    if (is_coloured(i, j, k)) u(i, j, k) = relaxed(i, j, k);
  }
  template <class Around>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k,
                                              const Around& around) const {
    if (is_coloured(i, j, k)) u(i, j, k) = relaxed(i, j, k, around);
  }
  // Other teams are writing this colour in their own tiles.
  KOKKOS_FORCEINLINE_FUNCTION bool stages(KokkosIndex i, KokkosIndex j, KokkosIndex k, bool own) const {
    return own || !is_coloured(i, j, k);
  }

  // Cells of one colour do not read each other.
  void row(int j, int k, int nx) const {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = (colour + j + k) & 1; i < nx; i += 2) u(i, j, k) = relaxed(i, j, k);
  }
};

template <class Cells>
Step sweep(const RedBlackArgs& args, const Cells& cells) {
  return with_operator(
      args.precision, args.a, args.grid, [&]<class S, class C, int dims, class A>(const A& a) {
        std::vector<RelaxColour<S, C, dims, A>> half_sweeps;
        for (int colour : colours_of(args.order))
          half_sweeps.push_back(
              {a, KokkosField<S>(args.u), KokkosField<const S>(args.b), C(args.omega), colour});
        return kokkos_step("red_black_sor", cells, args.grid, half_sweeps);
      });
}

}  // namespace

Methods<RedBlackArgs> red_black_kokkos() {
  return {
      {"plain", {}, [](Backend&, const RedBlackArgs& a, const Config&) { return sweep(a, KokkosRows{}); }},
      {"mdrange", kokkos_tile_space(),
       [](Backend&, const RedBlackArgs& a, const Config& c) { return sweep(a, KokkosTiles(c)); }},
      {"team_scratch", kokkos_staged_space(),
       [](Backend&, const RedBlackArgs& a, const Config& c) { return sweep(a, KokkosStagedTiles(c)); }}};
}

}  // namespace cfdmark
