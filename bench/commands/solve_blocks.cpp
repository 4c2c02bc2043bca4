// cfdmark solve for problems with 5x5 blocks: prints residual history and error.
#include <fmt/format.h>

#include <algorithm>

#include "bench/catalog/block_rows.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/solve_case.hpp"
#include "bench/text/duration.hpp"

namespace cfdmark {

int solve_blocks(const SolveCase& asked) {
  if (!asked.plot.empty())
    throw std::invalid_argument("--plot is not available for problems with 5x5 blocks");
  const double tolerance = asked.workload.real("tolerance");
  const int max_iterations = asked.workload.integer("max_iterations");
  PreparedBlocks prepared(block_method_of(*asked.row), *asked.on, asked.config,
                          shared_stored_blocks(asked.workload, asked.grid, asked.row->precision));
  prepared.reset();
  prepared.solve(tolerance, 1);  // warm up
  prepared.reset();
  Outcome outcome;
  const double seconds = asked.on->seconds([&] { outcome = prepared.solve(tolerance, max_iterations); });
  const HostField x = prepared.solution();
  print_history(outcome.history);
  const Judgement judgement = prepared.judge(outcome, x, tolerance);
  if (!judgement.wrong.empty()) {
    print_wrong(outcome, judgement, "omega or pairs");
    return exit_went_wrong;
  }
  const bool converged = judgement.converged;
  fmt::print("\n  {} {} steps of {} pairs of sweeps{}\n", converged ? "converged in" : "NOT converged after",
             outcome.iterations, asked.config.integer("pairs"),
             converged ? "" : fmt::format(" (tolerance {:g})", tolerance));
  fmt::print("  residual, relative to the first   {:.3e}   (true residual, in fp64 on the host: {:.3e})\n",
             outcome.relative_residual, judgement.true_residual);
  fmt::print("  error_max                         {:.8g}\n", prepared.largest_error(x));
  fmt::print("  time to solution                  {}, {} per step\n", seconds_text(seconds),
             seconds_text(seconds / std::max(outcome.iterations, 1)));
  if (asked.routines) {
    prepared.reset();
    print_routines(prepared.solve_by_routine(tolerance, max_iterations).routines);
  }
  return converged ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark
