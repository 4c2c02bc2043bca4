// Systems with periodic sides: ghosts are filled wherever neighbours are read, on all multigrid levels too.
#include <cmath>

#include "solvers/linear/multigrid/multigrid.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/preconditioner_symmetry.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

// Returns the methods on a backend that support periodic sides, with their solvers.
std::vector<std::pair<const SolverDescription*, SolverMethod>> periodic_methods(BackendKind kind) {
  const SystemShape shape = shape_of(*posed("periodic_box", {8, 8}), Precision::fp64);
  std::vector<std::pair<const SolverDescription*, SolverMethod>> all;
  for (const SolverDescription& solver : solver_table())
    if (refusal(solver, find_problem("periodic_box")).empty())
      for (const SolverMethod& method : solver.methods(kind))
        if (can_do(method, shape)) all.emplace_back(&solver, method);
  return all;
}
Solved by(const std::string& solver, BackendKind kind, const std::string& method, const Grid& g,
          const SolveOptions& options = {.tolerance = 1e-11}) {
  return solve(solver, method_named(solver_named(solver), kind, method), backend(kind), Precision::fp64,
               posed("periodic_box", g), options);
}

}  // namespace

TEST_CASE("two cells that are each other's neighbours on both sides have the answer worked by hand",
          "[periodic]") {
  // 2 u0 - 2 u1 = b0 and u0 + u1 = 0; in y each cell is its own neighbour.
  for (const auto& [solver, method] : periodic_methods(BackendKind::serial)) {
    INFO(solver->name << " " << method.name);
    const auto problem = posed("periodic_box", {2, 1});
    REQUIRE(problem->b.get(0, 0) != 0);
    const Solved s =
        solve(solver->name, method, backend(BackendKind::serial), Precision::fp64, problem, {1e-12, 1000});
    CHECK(s.u.get(0, 0) == Approx(problem->b.get(0, 0) / 4).epsilon(1e-10));
    CHECK(s.u.get(1, 0) == Approx(-problem->b.get(0, 0) / 4).epsilon(1e-10));
  }
}

TEST_CASE(
    "all solvers that support periodic sides find the same answer of mean 0, in every precision and backend",
    "[periodic]") {
  int solved = 0;
  for (const Grid& g : {Grid{32, 24}, Grid{12, 16, 8}, Grid{15, 9}}) {
    const auto problem = posed("periodic_box", g);
    const Solved exact = by("cg", BackendKind::serial, "textbook", g, {1e-13, 5000});
    for (BackendKind kind : backends_here())
      for (const auto& [solver, method] : periodic_methods(kind))
        for (Precision p : all_precisions) {
          if (!can_do(method, shape_of(*problem, p))) continue;
          INFO(solver->name << "/" << to_string(kind) << "/" << to_string(p) << "/" << method.name << " "
                            << name(g));
          const double tolerance = p == Precision::fp32 ? 2e-5 : 1e-10;
          const Solved s = solve(solver->name, method, backend(kind), p, problem, {tolerance, 5000});
          CHECK(s.outcome.converged);
          double off = 0, sum = 0;
          for_each_cell(g, false, [&](int i, int j, int k) {
            off = std::max(off, std::abs(s.u.get(i, j, k) - exact.u.get(i, j, k)));
            sum += s.u.get(i, j, k);
          });
          CHECK(off <= 100 * tolerance);
          CHECK(std::abs(sum) <= (p == Precision::fp32 ? 1e-6 : 1e-14) * double(g.cells()));
          ++solved;
        }
  }
  CHECK(solved >= 60);
}

TEST_CASE("the answer in a periodic box is second order, in 2-D and 3-D", "[periodic]") {
  for (BackendKind kind : backends_here())
    for (const char* solver : {"multigrid", "cg"})
      for (const bool d3 : {false, true}) {
        const auto error = [&](int n) {
          return by(solver, kind, std::string(solver) == "cg" ? "textbook" : "plain",
                    d3 ? Grid{n, n, n} : Grid{n, n})
              .error.l2;
        };
        INFO(solver << "/" << to_string(kind) << (d3 ? " 3-D" : " 2-D"));
        const double order = std::log2(error(16) / error(32));
        CHECK(order > 1.8);
        CHECK(order < 2.2);
      }
}

TEST_CASE("a V(2,2) cycle reduces the residual tenfold with periodic sides that can be halved",
          "[periodic][multigrid]") {
  for (const Grid& g : {Grid{32, 32}, Grid{128, 128}, Grid{48, 64}, Grid{40, 24}, Grid{2, 2}, Grid{256, 32},
                        Grid{16, 16, 16}, Grid{32, 32, 32}, Grid{24, 16, 20}}) {
    INFO(name(g));
    const Solved s = by("multigrid", BackendKind::serial, "plain", g, {1e-10, 100});
    CHECK(s.outcome.converged);
    double worst = 0;
    const auto& history = s.outcome.history;
    for (std::size_t n = 1; n < history.size(); ++n)
      worst = std::max(worst, history[n].second / history[n - 1].second);
    CHECK(worst <= 0.1);
  }
}

TEST_CASE("the answer in a periodic box is invariant under shifts", "[periodic]") {
  for (const Grid& g : {Grid{16, 24}, Grid{8, 12, 16}})
    for (const auto& [solver, method] :
         {std::pair{"multigrid", "plain"}, {"pcg", "textbook"}, {"bicgstab", "multigrid"}}) {
      INFO(solver << " " << method << " " << name(g));
      auto moved = std::make_shared<LinearProblem>(make_problem("periodic_box", g));
      const LinearProblem at_first = *moved;
      const auto from = [&](int i, int j, int k) {
        return std::array{(i + 5) % g.nx, (j + 3) % g.ny, g.is_3d() ? (k + 7) % g.nz : 0};
      };
      for_each_cell(g, false, [&](int i, int j, int k) {
        const auto [x, y, z] = from(i, j, k);
        moved->b.set(i, j, k, at_first.b.get(x, y, z));
      });
      const SolverMethod of = method_named(solver_named(solver), BackendKind::serial, method);
      const auto u = [&](const std::shared_ptr<const LinearProblem>& problem) {
        return solve(solver, of, backend(BackendKind::serial), Precision::fp64, problem, {1e-12, 1000}).u;
      };
      const HostField here = u(posed("periodic_box", g)), there = u(moved);
      double off = 0;
      for_each_cell(g, false, [&](int i, int j, int k) {
        const auto [x, y, z] = from(i, j, k);
        off = std::max(off, std::abs(there.get(i, j, k) - here.get(x, y, z)));
      });
      CHECK(off <= 1e-9);
    }
}

TEST_CASE("a cycle with periodic sides is a symmetric preconditioner", "[periodic][multigrid]") {
  Backend& on = backend(BackendKind::serial);
  for (const Grid& g : {Grid{16, 24}, Grid{8, 12, 6}}) {
    const auto problem = posed("periodic_box", g);
    OwnedSystem system(on, Precision::fp64, g, problem->constant, nullptr, sides_of(*problem->description));
    const SolverMethod method = method_named(solver_named("pcg"), BackendKind::serial, "multigrid");
    const Preconditioner m(PreconditionerKind::multigrid, system.system(), method.space.defaults(), true);
    m.start();
    const auto without_mean = [&](unsigned salt) {
      HostField r(g, Precision::fp64);
      double sum = 0;
      for_each_cell(g, false, [&](int i, int j, int k) { sum += noise(i, j, k, salt); });
      for_each_cell(g, false, [&](int i, int j, int k) {
        r.set(i, j, k, noise(i, j, k, salt) - sum / double(g.cells()));
      });
      return r;
    };
    INFO(name(g));
    check_symmetry(m, system, without_mean(1), without_mean(2));
  }
}

TEST_CASE("a solver without periodic sides rejects them and names alternatives", "[periodic]") {
  for (const char* solver : {"jacobi", "hypre", "ginkgo"})
    CHECK_THAT(refusal(solver_named(solver), find_problem("periodic_box")),
               ContainsSubstring(std::string(solver) + " does not support"));
  for (const char* solver : {"sor", "gauss_seidel"})
    CHECK(refusal(solver_named(solver), find_problem("periodic_box")) ==
          std::string(solver) +
              " does not support the periodic boundary of periodic_box in the west; it supports dirichlet, "
              "neumann");
  const SystemShape shape = shape_of(*posed("periodic_box", {8, 8}), Precision::fp64);
  CHECK(method_named(solver_named("cg"), BackendKind::serial, "fused").why_unsupported(shape) ==
        "periodic sides are not supported; use cg/textbook, multigrid/plain or direct");
}
