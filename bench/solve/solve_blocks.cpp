#include <fmt/format.h>

#include <stdexcept>

#include "bench/catalog/block_rows.hpp"
#include "bench/solve/print.hpp"
#include "bench/text/exit_status.hpp"

namespace cfdmark {

int solve_blocks(const SolveCase& asked) {
  if (!asked.plot.empty())
    throw std::invalid_argument("--plot is not available for problems with 5x5 blocks");
  PreparedBlocks prepared(block_method_of(*asked.row), *asked.on, asked.config,
                          shared_stored_blocks(asked.workload, asked.grid, asked.row->precision));
  warm_up(prepared, asked, 1);
  TimedSolve timed = timed_solve(prepared, asked);
  const HostField x = prepared.solution();
  timed.outcome.results = {{"error_max", prepared.largest_error(x)}};
  const Judgement judgement = prepared.judge(timed.outcome, x, asked.tolerance());
  const SolveWords words{fmt::format("steps of {} pairs of sweeps", asked.config.integer("pairs")), "step",
                         "omega or pairs"};
  if (!print_solve(asked, timed, judgement, words)) return exit_went_wrong;
  print_requested_routines(prepared, asked);
  return judgement.converged ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark
