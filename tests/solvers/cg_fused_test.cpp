// CG in two passes against the textbook's operations.
#include <cmath>
#include <cstring>

#include "kernels/cg_iteration/cg_iteration.hpp"
#include "solvers/table.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

struct Solved {
  Outcome outcome;
  HostField u;
  double error;
};

// Looks at the residual after each iteration.
Solved solve(BackendKind kind, const std::string& method_name, Precision precision, ProblemKind problem_kind,
             const Grid& grid, double tolerance, const Config& more = {}) {
  const auto problem = std::make_shared<const LinearProblem>(make_problem(problem_kind, grid));
  for (const SolverDescription& solver : solver_table())
    if (solver.name == "cg")
      for (const SolverMethod& method : solver.methods(kind))
        if (method.name == method_name) {
          Config given = more;
          given.set("check_interval", 1);
          PreparedSolver prepared(solver, method.name, backend(kind), precision, method.space.complete(given),
                                  problem);
          prepared.reset();
          Outcome outcome = prepared.solve(tolerance, 5000);
          HostField u = prepared.solution();
          const double error = solution_error(*problem, u).l2;
          return {outcome, std::move(u), error};
        }
  throw std::invalid_argument(method_name);
}

std::vector<BackendKind> backends_here() {
  std::vector<BackendKind> kinds;
  for (BackendKind kind : all_backends)
    if (unavailable_reason(kind).empty()) kinds.push_back(kind);
  return kinds;
}

const std::pair<ProblemKind, Grid> problems[] = {{ProblemKind::heated_plate, {63, 63}},
                                                 {ProblemKind::manufactured, {300, 7}},
                                                 {ProblemKind::manufactured, {17, 13, 11}},
                                                 {ProblemKind::jump, {24, 33}},
                                                 {ProblemKind::jump, {9, 12, 10}}};

bool same_bits(const HostField& a, const HostField& b) {
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

}  // namespace

TEST_CASE("fused CG has the textbook's history to rounding, and takes as many iterations but for two",
          "[cg]") {
  for (BackendKind kind : backends_here())
    for (const auto& [problem, grid] : problems)
      for (Precision p : all_precisions) {
        INFO(to_string(kind) << " " << to_string(problem) << " " << grid.nx << "x" << grid.ny << "x"
                             << grid.nz << " " << to_string(p));
        const double tolerance = p == Precision::fp32 ? 1e-4 : 1e-8;
        const Solved textbook = solve(kind, "textbook", p, problem, grid, tolerance);
        const Solved fused = solve(kind, "fused", p, problem, grid, tolerance);
        REQUIRE(fused.outcome.converged);
        REQUIRE(std::abs(fused.outcome.iterations - textbook.outcome.iterations) <= 2);
        REQUIRE(fused.error == Approx(textbook.error).epsilon(0.02));
        for (std::size_t n = 0; n < std::min<std::size_t>(5, textbook.outcome.history.size()); ++n)
          REQUIRE(fused.outcome.history[n].second ==
                  Approx(textbook.outcome.history[n].second).epsilon(p == Precision::fp64 ? 1e-10 : 1e-3));
      }
}

TEST_CASE("fused CG has the textbook's bits on a CPU, in each iteration and in the solution", "[cg]") {
  for (BackendKind kind : {BackendKind::serial, BackendKind::openmp}) {
    if (!unavailable_reason(kind).empty()) continue;
    for (const auto& [problem, grid] : problems)
      for (Precision p : all_precisions) {
        INFO(to_string(kind) << " " << to_string(problem) << " " << to_string(p));
        const Solved textbook = solve(kind, "textbook", p, problem, grid, 1e-4);
        const Solved fused = solve(kind, "fused", p, problem, grid, 1e-4);
        REQUIRE(fused.outcome.history == textbook.outcome.history);
        REQUIRE(same_bits(fused.u, textbook.u));
      }
  }
}

TEST_CASE("fused CG gives the same bits whatever the number of threads", "[cg]") {
  if (!unavailable_reason(BackendKind::openmp).empty()) return;
  auto with_threads = [](int threads) {
    return solve(BackendKind::openmp, "fused", Precision::fp64, ProblemKind::jump, {40, 31}, 1e-8,
                 {{"threads", threads}});
  };
  const Solved one = with_threads(1), three = with_threads(3);
  REQUIRE(one.outcome.history == three.outcome.history);
  REQUIRE(same_bits(one.u, three.u));
}

TEST_CASE("fused CG's error falls with the second order of the mesh width on every backend, in 2-D and 3-D",
          "[cg]") {
  for (BackendKind kind : backends_here())
    for (bool d3 : {false, true}) {
      INFO(to_string(kind) << (d3 ? " 3-D" : " 2-D"));
      auto error = [&](int n) {
        return solve(kind, "fused", Precision::fp64, ProblemKind::manufactured,
                     d3 ? Grid{n, n, n} : Grid{n, n}, 1e-11)
            .error;
      };
      const double order = std::log2(error(7) / error(15));
      REQUIRE(order > 1.8);
      REQUIRE(order < 2.2);
    }
}

TEST_CASE("a solve after one that went wrong is not touched by it", "[cg]") {
  const auto problem =
      std::make_shared<const LinearProblem>(make_problem(ProblemKind::heated_plate, {15, 15}));
  auto broken = std::make_shared<LinearProblem>(*problem);
  broken->initial.set(3, 3, 0, std::nan(""));
  for (BackendKind kind : backends_here())
    for (const SolverDescription& solver : solver_table()) {
      if (solver.name != "cg") continue;
      INFO(to_string(kind));
      Config config;
      for (const SolverMethod& method : solver.methods(kind))
        if (method.name == "fused") config = method.space.defaults();
      System system(backend(kind), Precision::fp64, *problem);
      const auto cg = solver.make(system, "fused", config);
      system.u.upload(broken->initial);
      REQUIRE_FALSE(cg->solve(1e-10, 100).converged);
      system.u.upload(problem->initial);
      REQUIRE(cg->solve(1e-10, 500).converged);
      REQUIRE(system.u.download().get(7, 7) == Approx(0.25).epsilon(1e-8));
    }
}

TEST_CASE("an iteration moves 8 values a cell with constant coefficients, and 15 or 17 with arrays", "[cg]") {
  auto values = [](const Grid& g, bool arrays) {
    HostField q(g, Precision::fp64);
    CgIterationArgs args;
    args.grid = g, args.a.constant = !arrays;
    if (arrays) args.q = q.view();
    double bytes = 0;
    for (CgPass pass : {CgPass::direction, CgPass::update}) {
      args.pass = pass;
      bytes += cg_iteration_cost(args).bytes;
    }
    return bytes / double(g.cells()) / 8;
  };
  CHECK(values({10, 10}, false) == 8);
  CHECK(values({10, 10, 10}, false) == 8);
  CHECK(values({10, 10}, true) == 15);
  CHECK(values({10, 10, 10}, true) == 17);
}
