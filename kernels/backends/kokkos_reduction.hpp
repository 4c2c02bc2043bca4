// Reductions: a partial result a row, then the partial results joined in a fixed order.
#pragma once

#include "kernels/backends/backend.hpp"
#include "kernels/backends/kokkos_cells.hpp"
#include "kernels/backends/kokkos_teams.hpp"
#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

// An operation of reduction_operations.hpp as Kokkos wants it: into one double that the caller owns.
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
  // Asked for by versions before 4.
  KOKKOS_INLINE_FUNCTION void join(volatile double& to, const volatile double& from) const {
    to = Op::template join<double>(to, from);
  }
  KOKKOS_INLINE_FUNCTION double& reference() const { return *result.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }
};

// The partial results by one team: on a host one thread, in order, as serial and openmp do.
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

// A step in which body() leaves a number a row, by policy, and these are then joined into `result`. `body_of`
// makes the body when the step runs; the buffer holds the numbers.
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
