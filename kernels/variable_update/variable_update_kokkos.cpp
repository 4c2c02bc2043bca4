#include "kernels/cells/kokkos/kokkos_cells.hpp"
#include "kernels/device/field.hpp"
#include "kernels/variable_update/variable_layouts.hpp"

namespace cfdmark {
namespace {

template <class T, int n>
struct VariableFields {
  KokkosField<T> variable[n];
};

template <class T, std::size_t n>
VariableFields<T, int(n)> variable_fields(const std::array<AnyView, n>& fields) {
  return [&]<std::size_t... v>(std::index_sequence<v...>) {
    return VariableFields<T, int(n)>{{KokkosField<T>(fields[v])...}};
  }
  (std::make_index_sequence<n>());
}

template <int n, class S, class C>
struct AdvanceStructures {
  KokkosField<S> q;
  KokkosField<const S> rhs;
  C dt;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    for (int v = 0; v < n; ++v) {
      S& value = q(n * i + v, j, k);
      value = S(advanced(C(value), dt, C(rhs(n * i + v, j, k))));
    }
  }
};

// Copies arrays to structures, or back.
template <class S, int n, bool in>
struct CopyStructures {
  VariableFields<S, n> arrays;
  KokkosField<S> structures;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    for (int v = 0; v < n; ++v) {
      S &array = arrays.variable[v](i, j, k), &structure = structures(n * i + v, j, k);
      in ? structure = array : array = structure;
    }
  }
};

template <class K>
Step array_of_structures(Backend& backend, const CellArgs<K>& args, const Config&) {
  constexpr int n = K::variables;
  const KokkosRows cells;
  const Grid side_by_side = interleaved(args.grid(), n);
  const Field q(backend, side_by_side, args.precision), rhs(backend, side_by_side, args.precision);
  return with_types(args.precision, [&]<class S, class C>() {
    const KokkosField<S> to(q.view()), from(rhs.view());
    Step step =
        kokkos_step("update structures", cells, args.grid(),
                    AdvanceStructures<n, S, C>{to, KokkosField<const S>(rhs.view()), C(args.kernel.dt)});
    using In = CopyStructures<S, n, true>;
    using Out = CopyStructures<S, n, false>;
    step.load = [cells, q, rhs, to, from, args] {
      cells("load q", args.grid(), In{variable_fields<S>(arrays_of(args, false)), to});
      cells("load rhs", args.grid(), In{variable_fields<S>(arrays_of(args, true)), from});
    };
    step.store = [cells, q, to, args] {
      cells("store q", args.grid(), Out{variable_fields<S>(arrays_of(args, false)), to});
    };
    return step;
  });
}

}  // namespace

template <class K>
Methods<CellArgs<K>> variables_kokkos() {
  return {{"array_of_structures", {}, array_of_structures<K>}};
}

template Methods<CellArgs<FourVariableUpdate>> variables_kokkos();
template Methods<CellArgs<FiveVariableUpdate>> variables_kokkos();

}  // namespace cfdmark
