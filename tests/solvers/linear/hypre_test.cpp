// hypre's solvers: the same systems give the same answers to the same tolerance.
#include "solvers/linear/libraries/hypre.hpp"

#include <cmath>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/peer.hpp"

using namespace cfdmark;

namespace {

std::vector<SolverMethod> hypre_here() {
  std::vector<SolverMethod> all;
  for (const SolverMethod& method : solver_named("hypre").methods(BackendKind::serial))
    if (can_do(method, {{9, 9}, true, Precision::fp64})) all.push_back(method);
  if (all.empty()) WARN("skipped: built without hypre");
  return all;
}

Solved by_hypre(const SolverMethod& method, const std::string& problem, const Grid& g,
                const Config& config = {}, double tolerance = 1e-10) {
  return solve("hypre", method, backend(BackendKind::serial), Precision::fp64, posed(problem, g),
               {tolerance, 200, config});
}

}  // namespace

TEST_CASE("hypre solves systems with boundary values, sources, jumps and unequal sides, of any size",
          "[hypre]") {
  for (const SolverMethod& method : hypre_here())
    for (const PeerSystem& system : peer_systems) {
      INFO(method.name << " " << system.problem << " " << name(system.grid));
      check_is_our_answer(by_hypre(method, system.problem, system.grid), system);
    }
}

TEST_CASE("the error of hypre's answer is second order in the mesh width", "[hypre]") {
  for (const SolverMethod& method : hypre_here())
    for (bool d3 : {false, true}) {
      const auto error = [&](int n) {
        return by_hypre(method, "manufactured", d3 ? Grid{n, n, n} : Grid{n, n}).error.l2;
      };
      INFO(method.name << (d3 ? " 3-D" : " 2-D"));
      const double order = std::log2(error(7) / error(15));
      CHECK(order > 1.8);
      CHECK(order < 2.2);
    }
}

TEST_CASE("hypre's iterations hardly grow with the grid, and CG with multigrid needs fewer than multigrid",
          "[hypre]") {
  std::vector<int> of_each;
  for (const SolverMethod& method : hypre_here()) {
    const int coarse = by_hypre(method, "manufactured", {31, 31}).outcome.iterations;
    const int fine = by_hypre(method, "manufactured", {255, 255}).outcome.iterations;
    INFO(method.name << " " << coarse << " " << fine);
    CHECK(fine < 35);
    CHECK(fine < 2 * coarse);
    of_each.push_back(fine);
  }
  if (of_each.empty()) return;
  REQUIRE(of_each.size() == 4);  // PFMG and BoomerAMG, each with CG first
  CHECK(of_each[0] < of_each[1]);
  CHECK(of_each[2] < of_each[3]);
}

TEST_CASE("every setting of hypre's methods solves a jump of 1000", "[hypre]") {
  for (const SolverMethod& method : hypre_here())
    for (const Config& config : method.space.all()) {
      INFO(method.name << " " << config.text());
      CHECK(by_hypre(method, "jump", {40, 40}, config, 1e-8).outcome.converged);
    }
}

TEST_CASE("a hypre solve at its iteration limit has not converged, and reports the seconds of its set-up",
          "[hypre]") {
  for (const SolverMethod& method : hypre_here()) {
    const Solved s = solve("hypre", method, backend(BackendKind::serial), Precision::fp64,
                           posed("manufactured", {63, 63}), {1e-10, 2, {}});
    INFO(method.name);
    check_ran_out(s);
    CHECK(s.outcome.relative_residual < 0.5);
  }
}

TEST_CASE("hypre's rows reject unsupported systems and report a missing hypre", "[hypre]") {
  int rows = 0;
  for (const Row& row : catalog()) {
    if (row.name != "hypre" || row.backend != BackendKind::serial) continue;
    ++rows;
    INFO(row_name(row));
    if (hypre_version().empty())
      CHECK_THAT(row.unavailable, ContainsSubstring("built without hypre"));
    else if (row.precision != Precision::fp64)
      CHECK_THAT(row.unavailable, ContainsSubstring("64 bits"));
    else
      CHECK_THAT(row.unsupported(Grid{9, 9}, {{"problem", "convection"}}),
                 ContainsSubstring("needs a symmetric operator"));
  }
  CHECK(rows > 0);
}
