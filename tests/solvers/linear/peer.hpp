// Common checks of library solvers.
#pragma once

#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

namespace cfdmark {

struct PeerSystem {
  const char* problem;
  Grid grid;
};
// Systems with boundary values, sources, jumps and unequal sides.
inline const std::vector<PeerSystem> peer_systems = {
    {"heated_plate", {31, 17}}, {"heated_plate_cells", {20, 33}},
    {"manufactured", {64, 63}}, {"manufactured", {13, 20, 8}},
    {"jump", {32, 15}},         {"jump", {10, 12, 9}}};

// Checks that the recomputed residual is within a tolerance of 1e-10, and that the project's multigrid gives
// the same answer.
inline void check_is_our_answer(const Solved& peer, const PeerSystem& system) {
  CHECK(peer.outcome.converged);
  const LinearProblem again = make_problem(system.problem, system.grid);
  CHECK(residual_norm(again, peer.u) <= 1.01e-10 * residual_norm(again, again.initial));
  const SolverDescription& multigrid = solver_named("multigrid");
  const Solved ours =
      solve("multigrid", multigrid.methods(BackendKind::serial).front(), backend(BackendKind::serial),
            Precision::fp64, posed(system.problem, system.grid), {1e-11, 200});
  CHECK(largest_difference(peer.u, ours.u) < 1e-8);
}

// Checks a solve with a tolerance of 1e-10 and a limit of two iterations.
inline void check_ran_out(const Solved& peer) {
  CHECK_FALSE(peer.outcome.converged);
  CHECK(peer.outcome.iterations == 2);
  REQUIRE(peer.outcome.results.size() == 1);
  CHECK(peer.outcome.results[0].name == "setup_seconds");
  CHECK(peer.outcome.results[0].value > 0);
}

}  // namespace cfdmark
