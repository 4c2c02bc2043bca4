// Reductions: one partial result per row, then the partial results in a fixed order.
#pragma once

#include "kernels/cells/kokkos/kokkos_cells.hpp"
#include "kernels/cells/kokkos/kokkos_teams.hpp"
#include "kernels/core/reduction_operations.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

// An operation of reduction_operations.hpp as a Kokkos reducer into a double owned by the caller.
template <class Op>
struct KokkosReducer {
  using reducer = KokkosReducer;
  using value_type = double;
  using result_view_type = Kokkos::View<double, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  result_view_type result;

  KOKKOS_INLINE_FUNCTION explicit KokkosReducer(double& r) : result(&r) {}
  KOKKOS_INLINE_FUNCTION void init(double& value) const { value = 0; }
  KOKKOS_INLINE_FUNCTION void join(double& to, const double& from) const {
    to = Op::template join<double>(to, from);
  }
  // Required by Kokkos before version 4.
  KOKKOS_INLINE_FUNCTION void join(volatile double& to, const volatile double& from) const {
    to = Op::template join<double>(to, from);
  }
  KOKKOS_INLINE_FUNCTION double& reference() const { return *result.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }
};

// Reduces the partial results in one team. On a host that is one thread, in order, as in serial and openmp.
template <class Op>
struct KokkosJoinRows {
  const double* partial;
  int rows;
  double* result;
  KOKKOS_INLINE_FUNCTION void operator()(const KokkosTeam& team) const {
    double total = 0;
    auto join = [&](int row, double& running) { running = Op::template join<double>(running, partial[row]); };
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, rows), join, KokkosReducer<Op>(total));
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = total; });
  }
};

// Returns a step that runs a body by `policy`, which stores one number per row, and reduces these into
// `result`. body_of() creates the body when the step runs; `numbers` holds the partial results.
template <class Op, class Policy, class BodyOf>
Step kokkos_row_reduction(const std::string& label, const char* tile, const Policy& policy,
                          const BodyOf& body_of, const Buffer& numbers, int rows, double* result) {
  const KokkosJoinRows<Op> join{static_cast<const double*>(numbers.data()), rows, result};
  return kokkos_step(tile, [label, policy, body_of, numbers, join] {
    Kokkos::parallel_for(label, policy, body_of());
    Kokkos::parallel_for("join rows", kokkos_teams(1), join);
  });
}

}  // namespace cfdmark
