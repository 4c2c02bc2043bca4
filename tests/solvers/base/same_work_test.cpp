// A solve must not change its initial data: repeated solves in one process are identical, monitored or not.
#include <cstring>

#include "tests/catch.hpp"
#include "tests/solvers/block/block_solve.hpp"
#include "tests/solvers/flow/flow_solve.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

struct OneSolve {
  Outcome outcome;
  HostField answer;
};

bool same_bits(const HostField& a, const HostField& b) {
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

// solve(watched) must start from the same state each time.
template <class Solve>
void check_same_work(const Solve& solve) {
  const OneSolve first = solve(false);
  for (const bool watched : {false, true, false}) {
    INFO((watched ? "monitored" : "repeated"));
    const OneSolve other = solve(watched);
    CHECK(other.outcome.iterations == first.outcome.iterations);
    CHECK(other.outcome.history == first.outcome.history);
    CHECK(same_bits(other.answer, first.answer));
  }
}

template <class Prepared>
OneSolve one_solve(Prepared& prepared, double tolerance, int iterations, bool watched) {
  prepared.reset();
  prepared.solver().on_check = nullptr;
  if (watched) prepared.solver().on_check = [](const Outcome&) {};
  OneSolve one;
  one.outcome = prepared.solve(tolerance, iterations);
  return one;
}

}  // namespace

TEST_CASE(
    "repeated solves in one process are identical for every linear solver, method, problem and precision",
    "[driver][same]") {
  int checked = 0;
  for (BackendKind kind : backends_here())
    for (const ProblemDescription& posed : problem_table())
      for (const Grid& g : {Grid{8, 6}, Grid{6, 4, 4}}) {
        if (!unsuitable_reason(posed, g).empty()) continue;
        const auto problem = std::make_shared<const LinearProblem>(make_problem(posed, g));
        for (const SolverDescription& solver : solver_table()) {
          if (!refusal(solver, posed).empty()) continue;
          for (const SolverMethod& method : solver.methods(kind))
            for (Precision p : all_precisions) {
              if (!can_do(method, shape_of(*problem, p))) continue;
              INFO(solver.name << "/" << to_string(kind) << "/" << to_string(p) << "/" << method.name << " "
                               << posed.name << " " << name(g));
              PreparedSolver prepared(solver, method, backend(kind), p, method.space.defaults(), problem);
              check_same_work([&](bool watched) {
                OneSolve one = one_solve(prepared, p == Precision::fp32 ? 1e-5 : 1e-11, 60, watched);
                one.answer = prepared.solution();
                return one;
              });
              ++checked;
            }
        }
      }
  CHECK(checked > 500);
}

TEST_CASE("repeated solves in one process are identical for every block solver, problem and precision",
          "[driver][same]") {
  for (BackendKind kind : backends_here())
    for (const BlockProblemDescription& posed : block_problem_table())
      for (const BlockSolverDescription& solver : block_solver_table())
        for (const BlockMethod& method : solver.methods(kind))
          for (Precision p : all_precisions) {
            INFO(solver.name << "/" << to_string(kind) << "/" << to_string(p) << "/" << method.name << " "
                             << posed.name);
            PreparedBlocks prepared(method, backend(kind), p, method.space.defaults(),
                                    posed_blocks(posed.name, {4, 5, 3}));
            check_same_work([&](bool watched) {
              OneSolve one = one_solve(prepared, 1e-8, 3, watched);
              one.answer = prepared.solution();
              return one;
            });
          }
}

TEST_CASE("repeated solves in one process are identical for every flow solver, method and precision",
          "[driver][same]") {
  for (BackendKind kind : backends_here())
    for (const FlowSolverDescription& solver : flow_solver_table())
      for (const FlowMethod& method : solver.methods(kind))
        for (const char* posed : {"cavity", "taylor_green"})
          for (Precision p : all_precisions) {
            INFO(solver.name << "/" << to_string(kind) << "/" << to_string(p) << "/" << method.name << " "
                             << posed);
            const auto problem = posed_flow(posed, {8, 8});
            PreparedFlow prepared(solver, method, backend(kind), p, method.space.defaults(), problem);
            check_same_work([&](bool watched) {
              OneSolve one = one_solve(prepared, 1e-8, 40, watched);
              one.answer = prepared.solution().u;
              return one;
            });
          }
}
