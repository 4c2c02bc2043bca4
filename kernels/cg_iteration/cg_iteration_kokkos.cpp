#include "kernels/cells/kokkos/kokkos_reduction.hpp"
#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/cg_iteration/cg_iteration_row.hpp"

namespace cfdmark {
namespace {

// The fields of either pass. A field that a pass does not use refers to p and is not accessed.
template <class S, class Field, class ConstField>
struct CgFields {
  ConstField r_before, p_before, p_read;
  Field p, u, r, q;
  bool keeps;

  explicit CgFields(const CgIterationArgs& a)
      : r_before(a.r),
        p_before(or_p(a, a.p_before)),
        p_read(a.p),
        p(a.p),
        u(or_p(a, a.u)),
        r(a.r),
        q(or_p(a, a.q)),
        keeps(a.keeps_product()) {}

 private:
  static const AnyView& or_p(const CgIterationArgs& a, const AnyView& field) {
    return field.origin ? field : a.p;
  }
};

template <class S>
using TeamFields = CgFields<S, KokkosField<S>, KokkosField<const S>>;

// Processes a row with one team; the team reduces the lanes' partial sums.
template <class S, class C, int dims, class A, CgPass pass>
struct RowByTeam {
  A a;
  TeamFields<S> fields;
  Scalar factor;
  int nx, ny;
  double* partial;

  KOKKOS_INLINE_FUNCTION void operator()(const KokkosTeam& team) const {
    const int row = team.league_rank(), j = row % ny, k = row / ny;
    const C value = scalar_value<C>(factor);
    double total = 0;
    auto cell = [&](int i, double& running) {
      const double x = pass == CgPass::direction ? direction(i, j, k, value) : update(i, j, k, value);
      running += x;
    };
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, nx), cell, KokkosReducer<SumOperation>(total));
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[row] = total; });
  }

 private:
  // direction() and update() return the cell's contribution to the result.
  KOKKOS_INLINE_FUNCTION double direction(int i, int j, int k, C beta) const {
    auto around = [&](int di, int dj, int dk) {
      return C(S(cg_direction_value(C(fields.r_before(i + di, j + dj, k + dk)), beta,
                                    C(fields.p_before(i + di, j + dj, k + dk)))));
    };
    const S p = S(around(0, 0, 0)), q = S(stencil_apply<dims, C>(a.template at<dims>(i, j, k), around));
    fields.p(i, j, k) = p;
    if (fields.keeps) fields.q(i, j, k) = q;
    return double(p) * double(q);
  }
  KOKKOS_INLINE_FUNCTION double update(int i, int j, int k, C alpha) const {
    const KokkosNeighbourhood<C, KokkosField<const S>> around{fields.p_read, i, j, k};
    const S q =
        fields.keeps ? fields.q(i, j, k) : S(stencil_apply<dims, C>(a.template at<dims>(i, j, k), around));
    S &u = fields.u(i, j, k), &r = fields.r(i, j, k);
    u = S(cg_solution_value(C(u), alpha, around(0, 0, 0)));
    r = S(cg_residual_value(C(r), alpha, C(q)));
    return double(r) * double(r);
  }
};

// Processes a row on one core, as serial and openmp do. Used on hosts only.
template <class S, class C, int dims, class A, CgPass pass>
struct RowByCore {
  A a;
  View<const S> r_before, p_before, p_read;
  View<S> p, u, r, q;
  Scalar factor;
  double* partial;

  void operator()(Index row) const {
    const int j = int(row % p.ny), k = int(row / p.ny);
    const C value = scalar_value<C>(factor);
    S* const product = q.origin ? q.row(j, k) : nullptr;
    const auto coefficients = operator_row<dims>(a, j, k);
    if constexpr (pass == CgPass::direction) {
      const RowNeighbourhood<S, C> around_r(r_before, j, k), around_p(p_before, j, k);
      partial[row] =
          cg_direction_row<dims>(coefficients, around_r, around_p, value, p.row(j, k), product, p.nx);
    } else {
      const RowNeighbourhood<S, C> around(p_read, j, k);
      partial[row] =
          cg_update_row<dims>(coefficients, around, product, value, u.row(j, k), r.row(j, k), p.nx);
    }
  }
};

template <class S, class C, int dims, CgPass pass, class A>
Step prepare(Backend& backend, const CgIterationArgs& args, const A& a, bool by_core) {
  const int rows = args.grid.ny * args.grid.nz;
  const Buffer partial(backend, rows * sizeof(double));
  double* const to = static_cast<double*>(partial.data());
  const char* label = pass == CgPass::direction ? "cg direction" : "cg update";
  if constexpr (kokkos_on_host)
    if (by_core) {
      const RowByCore<S, C, dims, A, pass> body{a,
                                                args.r.as<const S>(),
                                                args.p_before.as<const S>(),
                                                args.p.as<const S>(),
                                                args.p.as<S>(),
                                                args.u.as<S>(),
                                                args.r.as<S>(),
                                                args.q.as<S>(),
                                                args.factor,
                                                to};
      return kokkos_row_reduction<SumOperation>(
          label, "rows", kokkos_shares(rows), [=] { return body; }, partial, rows, args.result);
    }
  const RowByTeam<S, C, dims, A, pass> body{a, TeamFields<S>(args), args.factor, args.grid.nx, args.grid.ny,
                                            to};
  return kokkos_row_reduction<SumOperation>(
      label, "a team a row", kokkos_teams(rows), [=] { return body; }, partial, rows, args.result);
}

Step prepare(Backend& backend, const CgIterationArgs& args, bool by_core) {
  return with_operator(args.precision, args.a, args.grid, [&]<class S, class C, int dims>(const auto& a) {
    return args.pass == CgPass::direction ? prepare<S, C, dims, CgPass::direction>(backend, args, a, by_core)
                                          : prepare<S, C, dims, CgPass::update>(backend, args, a, by_core);
  });
}

}  // namespace

// On a device the plain method uses one team per row.
Methods<CgIterationArgs> cg_iteration_kokkos() {
  Methods<CgIterationArgs> methods = {
      {"plain", {}, [](Backend& b, const CgIterationArgs& a, const Config&) { return prepare(b, a, true); }}};
  if (kokkos_on_host)
    methods.push_back({"team", {}, [](Backend& b, const CgIterationArgs& a, const Config&) {
                         return prepare(b, a, false);
                       }});
  return methods;
}

}  // namespace cfdmark
