#include "kernels/backends/kokkos_cells.hpp"
#include "kernels/backends/kokkos_teams.hpp"
#include "kernels/reduction/reduction.hpp"
#include "kernels/reduction/reduction_row.hpp"

// All methods: a partial result a row, then the partial results joined in a fixed order.

namespace cfdmark {
namespace {

// An operation of reduction_formula.hpp as Kokkos wants it: into one double that the caller owns.
template <class Op>
struct Reducer {
  using reducer = Reducer;
  using value_type = double;
  using result_view_type = Kokkos::View<double, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  result_view_type result;

  KOKKOS_INLINE_FUNCTION explicit Reducer(double& r) : result(&r) {}
  KOKKOS_INLINE_FUNCTION void init(double& value) const { value = 0; }
  KOKKOS_INLINE_FUNCTION void join(double& to, const double& from) const { to = Op::template join<double>(to, from); }
  // Asked for by versions before 4.
  KOKKOS_INLINE_FUNCTION void join(volatile double& to, const volatile double& from) const {
    to = Op::template join<double>(to, from);
  }
  KOKKOS_INLINE_FUNCTION double& reference() const { return *result.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }
};

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
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, nx), add, Reducer<Op>(total));
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[row] = total; });
  }
};

// The partial results by one team: on a host one thread, in order, as serial and openmp do.
template <class Op>
struct JoinRows {
  const double* partial;
  int rows;
  double* result;
  KOKKOS_INLINE_FUNCTION void operator()(const KokkosTeam& team) const {
    double total = 0;
    auto join = [&](int row, double& running) { running = Op::template join<double>(running, partial[row]); };
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, rows), join, Reducer<Op>(total));
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = total; });
  }
};

template <class Op, class S, class C>
Step reduce(Backend& backend, const ReductionArgs& args, bool by_core) {
  const int rows = args.grid.ny * args.grid.nz;
  const Buffer partial(backend, rows * sizeof(double));
  double* const to = static_cast<double*>(partial.data());
  const AnyView& y = args.y.origin ? args.y : args.x;
  auto step = [&](const char* tile, const auto& policy, const auto& reduce_rows) {
    return kokkos_step(tile, [policy, reduce_rows, partial, join = JoinRows<Op>{to, rows, args.result}] {
      Kokkos::parallel_for("reduce rows", policy, reduce_rows);
      Kokkos::parallel_for("join rows", kokkos_teams(1), join);
    });
  };
  if constexpr (kokkos_on_host)
    if (by_core) return step("rows", kokkos_shares(rows), RowByCore<Op, S, C>{args.x.as<const S>(), y.as<const S>(), to});
  return step("a team a row", kokkos_teams(rows),
              RowByTeam<Op, S, C>{KokkosField<const S>(args.x), KokkosField<const S>(y), args.grid.nx, args.grid.ny, to});
}

Step prepare(Backend& backend, const ReductionArgs& args, bool by_core) {
  return with_types(args.precision, [&]<class S, class C>() {
    switch (args.operation) {
      case ReductionOperation::sum: return reduce<SumOperation, S, C>(backend, args, by_core);
      case ReductionOperation::dot: return reduce<DotOperation, S, C>(backend, args, by_core);
      case ReductionOperation::max_norm: break;
    }
    return reduce<MaxNormOperation, S, C>(backend, args, by_core);
  });
}

}  // namespace

// On a device a team a row is the plain way.
Methods<ReductionArgs> reduction_kokkos() {
  Methods<ReductionArgs> methods = {
      {"plain", {}, [](Backend& b, const ReductionArgs& a, const Config&) { return prepare(b, a, true); }}};
  if (kokkos_on_host)
    methods.push_back({"team", {}, [](Backend& b, const ReductionArgs& a, const Config&) { return prepare(b, a, false); }});
  return methods;
}

}  // namespace cfdmark
