#include "kernels/backends/kokkos_reduction.hpp"
#include "kernels/backends/row_reduction.hpp"
#include "kernels/reduction/reduction.hpp"

namespace cfdmark {
namespace {

// A row by one core, with the lanes that serial and openmp use. Only hosts run it.
template <class Op, class S, class C>
struct RowByCore {
  View<const S> x, y;
  double* partial;
  void operator()(Index row) const {
    const int j = int(row % x.ny), k = int(row / x.ny);
    partial[row] = reduce_row<Op, S, C>(x.row(j, k), y.row(j, k), x.nx);
  }
};

// A row by one team.
template <class Op, class S, class C>
struct RowByTeam {
  KokkosField<const S> x, y;
  int nx, ny;
  double* partial;
  KOKKOS_INLINE_FUNCTION void operator()(const KokkosTeam& team) const {
    const int row = team.league_rank(), j = row % ny, k = row / ny;
    double total = 0;
    auto add = [&](int i, double& running) {
      running = Op::template add<double>(running, double(x(i, j, k)), double(y(i, j, k)));
    };
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, nx), add, KokkosReducer<Op>(total));
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[row] = total; });
  }
};

template <class Op, class S, class C>
Step reduce(Backend& backend, const ReductionArgs& args, bool by_core) {
  const int rows = args.grid.ny * args.grid.nz;
  const Buffer partial(backend, rows * sizeof(double));
  double* const to = static_cast<double*>(partial.data());
  const AnyView& y = args.y.origin ? args.y : args.x;
  auto step = [&](const char* tile, const auto& policy, const auto& reduce_rows) {
    return kokkos_row_reduction<Op>("reduce rows", tile, policy, reduce_rows, partial, rows, args.result);
  };
  if constexpr (kokkos_on_host)
    if (by_core)
      return step("rows", kokkos_shares(rows),
                  RowByCore<Op, S, C>{args.x.as<const S>(), y.as<const S>(), to});
  return step("a team a row", kokkos_teams(rows),
              RowByTeam<Op, S, C>{KokkosField<const S>(args.x), KokkosField<const S>(y), args.grid.nx,
                                  args.grid.ny, to});
}

Step prepare(Backend& backend, const ReductionArgs& args, bool by_core) {
  return with_types(args.precision, [&]<class S, class C>() {
    return with_operation(args.operation,
                          [&]<class Op>() { return reduce<Op, S, C>(backend, args, by_core); });
  });
}

template <class S, class C>
struct Multiply {
  KokkosField<const S> x, y;
  KokkosField<C> product;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    product(i, j, k) = C(x(i, j, k)) * C(y(i, j, k));
  }
};

Step two_pass(Backend& backend, const ReductionArgs& args, const Config&) {
  const KokkosRows cells;
  const Field products(backend, args.grid, arithmetic_of(args.precision));
  Step multiply = with_types(args.precision, [&]<class S, class C>() {
    return kokkos_step(cells.text(), [cells, products, grid = args.grid, x = KokkosField<const S>(args.x),
                                      y = KokkosField<const S>(args.y)] {
      cells("multiply", grid, Multiply<S, C>{x, y, KokkosField<C>(products.view())});
    });
  });
  return in_turn(std::move(multiply), prepare(backend, sum_of_products(args, products.view()), true));
}

}  // namespace

// On a device a team a row is the plain way.
Methods<ReductionArgs> reduction_kokkos() {
  Methods<ReductionArgs> methods = {
      {"plain", {}, [](Backend& b, const ReductionArgs& a, const Config&) { return prepare(b, a, true); }}};
  if (kokkos_on_host)
    methods.push_back(
        {"team", {}, [](Backend& b, const ReductionArgs& a, const Config&) { return prepare(b, a, false); }});
  methods.push_back({"two_pass", {}, two_pass, only_dot_has_two_passes, reduction_two_pass_cost});
  return methods;
}

}  // namespace cfdmark
