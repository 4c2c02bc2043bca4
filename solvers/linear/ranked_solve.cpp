#include "solvers/linear/ranked_solve.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/ranks/thread_ranks.hpp"
#include "solvers/linear/system/rank_communicator.hpp"
#include "solvers/linear/table.hpp"
#include "solvers/problems/problem_part.hpp"

namespace cfdmark {
namespace {

// Writes a rank's own cells to the field of the whole domain.
void paste(const HostField& part, const CellBox& own, HostField& whole) {
  for_each_cell(part.grid(), false,
                [&](int i, int j, int k) { whole.set(own.i + i, own.j + j, own.k + k, part.get(i, j, k)); });
}

}  // namespace

RankedOutcome solve_on_ranks(const SolverMethod& method, Precision precision, const Config& config,
                             const LinearProblem& whole, const Partition& partition, double tolerance,
                             int max_iterations, const MakeCommunicator& communicator) {
  if (partition.whole() != whole.grid || partition.periodic() != periodic_axes(*whole.description))
    throw std::invalid_argument("the partition belongs to another grid, or to other periodic sides");
  const Sides sides = sides_of(*whole.description);
  if (const std::string reason =
          method.why_unsupported({whole.grid, whole.coefficients.empty(), precision, sides, true, true});
      !reason.empty())
    throw std::invalid_argument(fmt::format("{}: {}", method.name, reason));
  const Precision outer = outer_precision(precision);
  RankedOutcome solved{{}, HostField(whole.grid, outer)};
  on_thread_ranks(partition.ranks(), [&](Ranks& ranks) {
    const LinearProblem part = part_of(whole, partition, ranks.rank());
    const std::unique_ptr<Backend> serial = new_queue(BackendKind::serial);
    OwnedSystem owned(*serial, outer, part.grid, operator_form(part), nullptr, sides);
    owned.upload(part);
    owned.upload_start(converted(part.initial, outer));
    const std::unique_ptr<const Communicator> joined =
        communicator ? communicator(ranks, partition)
                     : std::make_unique<const RankCommunicator>(ranks, partition);
    System system = owned.system();
    system.ranks = joined.get();
    const Outcome outcome = make_solver(system, method, precision, config)->solve(tolerance, max_iterations);
    paste(owned.u().download(), partition.part(ranks.rank()).own, solved.u);  // each rank its own cells
    if (ranks.rank() == 0) solved.outcome = outcome;
  });
  return solved;
}

}  // namespace cfdmark
