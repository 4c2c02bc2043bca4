// One-line block solves for tests.
#pragma once

#include "solvers/block/table.hpp"
#include "tests/catch.hpp"

namespace cfdmark {

inline std::shared_ptr<const BlockProblem> posed_blocks(const std::string& name, const Grid& g,
                                                        const Config& settings = {}) {
  const BlockProblemDescription& problem = *find_block_problem(name);
  return std::make_shared<const BlockProblem>(
      make_block_problem(problem, g, TuningSpace{problem.settings}.complete(settings)));
}

struct SolvedBlocks {
  Outcome outcome;
  HostField x;
  double error = 0, true_residual = 0;
};

inline SolvedBlocks solve_blocks_on(Backend& on, const BlockMethod& method, Precision p, const Config& config,
                                    const std::shared_ptr<const BlockProblem>& problem, int steps,
                                    double tolerance = 1e-30) {
  PreparedBlocks prepared(method, on, p, method.space.complete(config), problem);
  prepared.reset();
  SolvedBlocks s;
  s.outcome = prepared.solve(tolerance, steps);
  s.x = prepared.solution();
  s.error = prepared.largest_error(s.x), s.true_residual = prepared.true_residual(s.x);
  return s;
}

inline SolvedBlocks solve_blocks_serially(const std::string& solver, Precision p, const Config& config,
                                          const std::shared_ptr<const BlockProblem>& problem, int steps,
                                          double tolerance = 1e-30) {
  return solve_blocks_on(backend(BackendKind::serial),
                         find_block_solver(solver)->methods(BackendKind::serial).front(), p, config, problem,
                         steps, tolerance);
}

}  // namespace cfdmark
