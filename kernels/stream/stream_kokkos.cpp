#include "kernels/backends/kokkos_cells.hpp"
#include "kernels/stream/stream.hpp"
#include "kernels/stream/stream_formula.hpp"

namespace cfdmark {
namespace {

template <class S>
struct Copy {
  KokkosField<const S> b;
  KokkosField<S> a;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    a(i, j, k) = b(i, j, k);
  }
};

template <class S, class C>
struct Triad {
  C s;
  KokkosField<const S> b, c;
  KokkosField<S> a;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    a(i, j, k) = S(triad_value(C(b(i, j, k)), s, C(c(i, j, k))));
  }
};

template <class Cells>
Step sweep(const StreamArgs& args, const Cells& cells) {
  return with_types(args.precision, [&]<class S, class C>() {
    const KokkosField<const S> b(args.b);
    const KokkosField<S> a(args.a);
    if (args.operation == StreamOperation::copy) return kokkos_step("copy", cells, args.grid, Copy<S>{b, a});
    return kokkos_step("triad", cells, args.grid, Triad<S, C>{C(args.s), b, KokkosField<const S>(args.c), a});
  });
}

}  // namespace

Methods<StreamArgs> stream_kokkos() {
  return {{"plain", {}, [](Backend&, const StreamArgs& a, const Config&) { return sweep(a, KokkosRows{}); }},
          {"mdrange", kokkos_tile_space(),
           [](Backend&, const StreamArgs& a, const Config& c) { return sweep(a, KokkosTiles(c)); }}};
}

}  // namespace cfdmark
