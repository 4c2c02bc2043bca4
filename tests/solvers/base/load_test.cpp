// A prepared solve takes another problem of its shape without being prepared again.
#include <cstring>

#include "solvers/families.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/block/block_solve.hpp"
#include "tests/solvers/flow/flow_solve.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

std::shared_ptr<const Problem> posed_by(const Family& family, const std::string& name, const Grid& grid,
                                        const Config& settings) {
  const FamilyProblem& problem = *find_problem(family, name);
  return problem.make(grid, problem_settings(problem, settings));
}

Outcome outcome_of(PreparedSolve& prepared) {
  prepared.reset();
  return prepared.solve(1e-12, 12);
}

// Compares a solve of `second` on what was prepared for `first` with one that was prepared for `second`.
void check_loaded(const Family& family, const std::string& problem, const Grid& grid, const Config& first,
                  const Config& second) {
  int checked = 0;
  for (const FamilySolver& solver : family.solvers)
    for (BackendKind kind : backends_here())
      for (const FamilyMethod& method : solver.methods(kind))
        for (Precision p : all_precisions) {
          Config workload = second;
          workload.set("problem", problem);
          if (method.unsupported && !method.unsupported({grid, p, workload}).empty()) continue;
          INFO(solver.name << "/" << to_string(kind) << "/" << to_string(p) << "/" << method.name);
          const auto prepare = [&](const Config& settings) {
            return method.prepare(backend(kind), p, method.space.defaults(),
                                  posed_by(family, problem, grid, settings), {});
          };
          const auto fresh = prepare(second), loaded = prepare(first);
          const Outcome of_first = outcome_of(*loaded);
          loaded->load(posed_by(family, problem, grid, second));
          Outcome expected = outcome_of(*fresh), found = outcome_of(*loaded);
          CHECK(found.iterations == expected.iterations);
          CHECK(found.history == expected.history);
          CHECK(found.history != of_first.history);
          const Judgement a = fresh->verify(expected, 1e-12), b = loaded->verify(found, 1e-12);
          CHECK(b.true_residual == a.true_residual);
          CHECK(found.results.size() == expected.results.size());
          ++checked;
        }
  CHECK(checked > 0);
}

}  // namespace

TEST_CASE("every linear solver solves a loaded problem as one that it was prepared for", "[load][family]") {
  check_loaded(*family_of_problem("jump"), "jump", {9, 9}, {{"conductivity", 10.0}},
               {{"conductivity", 300.0}});
}

TEST_CASE("every block solver solves a loaded problem as one that it was prepared for", "[load][family]") {
  check_loaded(*family_of_problem("flux_split"), "flux_split", {4, 5, 3}, {{"mach", 0.5}}, {{"mach", 0.3}});
}

TEST_CASE("every flow solver solves a loaded start as one that it was prepared for", "[load][family]") {
  check_loaded(*family_of_problem("random_field"), "random_field", {8, 8}, {{"random_seed", 1}},
               {{"random_seed", 2}});
}

TEST_CASE("a problem of another shape or family is not loaded", "[load][family]") {
  const Family &linear = *family_of_problem("jump"), &flow = *family_of_problem("cavity");
  const FamilyMethod cg = find_solver(linear, "cg")->methods(BackendKind::serial).front();
  const auto jump = posed_by(linear, "jump", {9, 9}, {});
  const auto prepared =
      cg.prepare(backend(BackendKind::serial), Precision::fp64, cg.space.defaults(), jump, {});
  CHECK_THROWS_WITH(prepared->load(posed_by(linear, "jump", {9, 8}, {})), ContainsSubstring("another shape"));
  CHECK_THROWS_WITH(prepared->load(posed_by(linear, "manufactured", {9, 9}, {})),
                    ContainsSubstring("another shape"));
  CHECK_THROWS_WITH(prepared->load(posed_by(flow, "cavity", {9, 9}, {})),
                    ContainsSubstring("another family"));
  const FamilyMethod simple = find_solver(flow, "simple")->methods(BackendKind::serial).front();
  const auto flowing = simple.prepare(backend(BackendKind::serial), Precision::fp64, simple.space.defaults(),
                                      posed_by(flow, "cavity", {9, 9}, {}), {});
  CHECK_THROWS_WITH(flowing->load(posed_by(flow, "cavity", {9, 9}, {{"reynolds", 50.0}})),
                    ContainsSubstring("another shape"));
}
