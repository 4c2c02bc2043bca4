#include "kernels/backends/field.hpp"
#include "kernels/backends/kokkos_cells.hpp"
#include "kernels/four_variable_update/four_variable_layouts.hpp"

namespace cfdmark {
namespace {

template <class T>
struct FourFields {
  KokkosField<T> f0, f1, f2, f3;
  explicit FourFields(const std::array<AnyView, 4>& f) : f0(f[0]), f1(f[1]), f2(f[2]), f3(f[3]) {}
};

template <class S, class C>
struct AdvanceStructures {
  KokkosField<S> q;
  KokkosField<const S> rhs;
  C dt;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    for (int v = 0; v < 4; ++v) {
      S& value = q(4 * i + v, j, k);
      value = S(FourVariableUpdate::advanced(C(value), dt, C(rhs(4 * i + v, j, k))));
    }
  }
};

// From four arrays to structures, or back.
template <class S, bool in>
struct CopyStructures {
  FourFields<S> arrays;
  KokkosField<S> structures;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    copy(arrays.f0(i, j, k), structures(4 * i, j, k));
    copy(arrays.f1(i, j, k), structures(4 * i + 1, j, k));
    copy(arrays.f2(i, j, k), structures(4 * i + 2, j, k));
    copy(arrays.f3(i, j, k), structures(4 * i + 3, j, k));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void copy(S& array, S& structure) const {
    in ? structure = array : array = structure;
  }
};

Step array_of_structures(Backend& backend, const FourVariableArgs& args, const Config&) {
  const KokkosRows cells;
  const Field q(backend, interleaved(args.grid()), args.precision),
      rhs(backend, interleaved(args.grid()), args.precision);
  return with_types(args.precision, [&]<class S, class C>() {
    const KokkosField<S> to(q.view()), from(rhs.view());
    Step step = kokkos_step("update structures", cells, args.grid(),
                            AdvanceStructures<S, C>{to, KokkosField<const S>(rhs.view()), C(args.kernel.dt)});
    step.load = [cells, q, rhs, to, from, args] {
      cells("load q", args.grid(), CopyStructures<S, true>{FourFields<S>(q_of(args)), to});
      cells("load rhs", args.grid(), CopyStructures<S, true>{FourFields<S>(rhs_of(args)), from});
    };
    step.store = [cells, q, to, args] {
      cells("store q", args.grid(), CopyStructures<S, false>{FourFields<S>(q_of(args)), to});
    };
    return step;
  });
}

}  // namespace

Methods<FourVariableArgs> four_variable_kokkos() {
  return {{"array_of_structures", {}, array_of_structures}};
}

}  // namespace cfdmark
