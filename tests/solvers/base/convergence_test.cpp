// The one rule of convergence: the true residual.
#include "solvers/base/convergence.hpp"

#include <cmath>

#include "solvers/base/norm.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/block/block_solve.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

Outcome claiming(double residual) {
  Outcome o;
  o.iterations = 10;
  o.relative_residual = residual;
  o.history = {{0, 1}, {10, residual}};
  o.converged = residual <= 1e-6;
  return o;
}

// A problem in units so small that its squared residuals underflow in the precision.
std::shared_ptr<const LinearProblem> tiny(double unit) {
  LinearProblem p = make_problem("manufactured", {9, 8});
  for (HostField* f : {&p.b, &p.initial, &p.exact})
    for_each_cell(p.grid, true, [&](int i, int j, int k) { f->set(i, j, k, unit * f->get(i, j, k)); });
  return std::make_shared<const LinearProblem>(std::move(p));
}

}  // namespace

TEST_CASE("a solve has converged if its true residual is within 1.5 times the tolerance", "[converged]") {
  CHECK(judge(claiming(1e-6), 1.5e-6, 1e-6, 1e-5).converged);
  CHECK_FALSE(judge(claiming(1e-6), 1.6e-6, 1e-6, 1e-5).converged);
  // The solver's own residual does not matter.
  CHECK(judge(claiming(1.2e-6), 1e-6, 1e-6, 1e-5).converged);
  for (const double none : {std::nan(""), -std::nan(""), HUGE_VAL})
    CHECK_FALSE(judge(claiming(1e-7), none, 1e-6, 1e-5).converged);
}

TEST_CASE("an answer is wrong if its claimed residual is not the true one or if it diverged", "[converged]") {
  CHECK(judge(claiming(1e-6), 2e-6, 1e-6, 1e-5).wrong.empty());
  CHECK_THAT(judge(claiming(1e-6), 0.1, 1e-6, 1e-5).wrong,
             ContainsSubstring("1e-06") && ContainsSubstring("0.1"));
  for (const double none : {std::nan(""), -std::nan(""), HUGE_VAL})
    CHECK_FALSE(judge(claiming(1e-7), none, 1e-6, 1e-5).wrong.empty());
  CHECK_FALSE(judge(claiming(101), 101, 1e-6, 1).wrong.empty());
  CHECK(diverged_by(claiming(101)) == 10);
  CHECK(judge(claiming(99), 99, 1e-6, 1).wrong.empty());
}

TEST_CASE("a first residual that underflows is not convergence", "[converged]") {
  for (const auto& [p, unit] :
       {std::pair{Precision::fp32, 1e-25}, {Precision::fp64, 1e-170}, {Precision::mixed, 1e-170}})
    for (const char* name : {"cg", "bicgstab", "multigrid", "sor"}) {
      INFO(name << " " << to_string(p));
      const SolverDescription& solver = solver_named(name);
      const SolverMethod method = solver.methods(BackendKind::serial).front();
      PreparedSolver prepared(solver, method, backend(BackendKind::serial), p, method.space.defaults(),
                              tiny(unit));
      prepared.reset();
      const Outcome outcome = prepared.solve(1e-6, 50);
      const Judgement judged = prepared.judge(outcome, prepared.solution(), 1e-6);
      CHECK(judged.true_residual == Approx(1));
      CHECK_FALSE(judged.converged);
      CHECK_FALSE(judged.wrong.empty());
    }
}

TEST_CASE("norms neither overflow nor underflow", "[converged]") {
  for (const double unit : {1e-300, 1e-170, 1.0, 1e160, 1e300}) {
    INFO(unit);
    CHECK(norm_of([&](const auto& add) { add(3 * unit), add(-4 * unit); }) == Approx(5 * unit));
    const Grid g{2, 1, 1};
    HostField x(block_vector_grid(g, block_problem_halo), Precision::fp64);
    x.set(0, 0, 0, 3 * unit), x.set(1, 0, 0, -4 * unit);
    CHECK(block_norm(g, x) == Approx(5 * unit));
  }
  CHECK(norm_of([](const auto& add) { add(0); }) == 0);
  CHECK(std::isnan(norm_of([](const auto& add) { add(1e200), add(NAN); })));
  CHECK(std::isinf(norm_of([](const auto& add) { add(1), add(INFINITY); })));
}

TEST_CASE("a mixed solve continues with another round if its inner solve stalls", "[converged]") {
  const SolverDescription& sor = solver_named("sor");
  const SolverMethod method = method_named(sor, BackendKind::serial, "plain");
  for (const Grid& g : {Grid{64, 64}, Grid{33, 20}}) {
    const auto problem = posed("insulated", g);
    const Solved s =
        solve("sor", method, backend(BackendKind::serial), Precision::mixed, problem, {1e-10, 10000});
    INFO(name(g));
    CHECK(s.outcome.converged);
  }
}

TEST_CASE("every linear solver meets its tolerance on a few cells, in every precision", "[converged][tiny]") {
  for (const ProblemDescription& description : problem_table())
    for (const Grid& g : {Grid{1, 1}, Grid{1, 5}, Grid{3, 1}, Grid{5, 1}, Grid{2, 2}, Grid{4, 3}, Grid{5, 6},
                          Grid{1, 2, 3}, Grid{3, 3, 2}}) {
      if (!unsuitable_reason(description, g).empty()) continue;
      const auto problem = std::make_shared<const LinearProblem>(make_problem(description, g));
      for (const SolverDescription& solver : solver_table()) {
        if (!refusal(solver, description).empty()) continue;
        for (const SolverMethod& method : solver.methods(BackendKind::serial))
          for (Precision p : all_precisions) {
            if (!can_do(method, shape_of(*problem, p))) continue;
            INFO(description.name << " " << name(g) << " " << solver.name << "/" << method.name << "/"
                                  << to_string(p));
            const double tolerance = p == Precision::fp32 ? 1e-4 : 1e-9;
            PreparedSolver prepared(solver, method, backend(BackendKind::serial), p, method.space.defaults(),
                                    problem);
            prepared.reset();
            const Outcome outcome = prepared.solve(tolerance, 20000);
            const Judgement judged = prepared.judge(outcome, prepared.solution(), tolerance);
            CHECK(judged.converged);
            CHECK(judged.wrong == "");
          }
      }
    }
}
