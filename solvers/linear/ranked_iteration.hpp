// An iteration on ranks, each on its part of a problem.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/ranks/ghost_rounds.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "kernels/ranks/timed_ranks.hpp"
#include "solvers/base/iteration.hpp"
#include "solvers/base/ranked_solve.hpp"
#include "solvers/linear/system/communicator.hpp"

namespace cfdmark {

// Makes the communicator of a rank.
using MakeCommunicator = std::function<std::unique_ptr<const Communicator>(Ranks&, const Partition&)>;
// Returns the one that exchanges values with the other ranks (RankCommunicator).
std::unique_ptr<const Communicator> rank_communicator(Ranks&, const Partition&);

// Returns the copy of a rank's part with all its ghosts from a field of the whole domain, at cells or faces.
GhostCopy part_copy(const AnyView& whole, const CellBox& own, const AnyView& part);
// Returns the copy of its cells back, and of its last faces if they are the domain's own.
GhostCopy part_copy_back(const AnyView& part, const CellBox& own, const AnyView& whole);
// Copy the part of a rank in the memory of the host.
void copy_part(const AnyView& whole, const CellBox& own, const AnyView& part);
void copy_part_back(const AnyView& part, const CellBox& own, const AnyView& whole);

// Collective between processes. Completes a field of the whole domain, of which each process has set the
// values of its part (copy_part_back). `whole`: in the memory of `on`.
void share_parts(Ranks&, const Partition&, Backend& on, const AnyView& whole);

// Returns the domain's parts with cuts at multiples of `align`, a power of two, or of a smaller one where
// parts would have no cells: of 2 at least, or of 1 if `align` is 1. Throws std::invalid_argument as
// Partition::of.
Partition aligned_parts(const Grid&, int ranks, const PartShape&, int align,
                        const std::array<bool, 3>& periodic);

// The ranks of a solve. `run` calls work(ranks) on each rank of this process and returns when all have
// returned.
struct RankGroup {
  int count = 1;
  std::function<void(const std::function<void(Ranks&)>&)> run;
  // Its rank among processes with one rank each, which all hold the whole problem and make the same calls.
  // Null: all ranks are threads of this process.
  Ranks* process = nullptr;
};
// Returns ranks that are threads of this process.
RankGroup thread_group(int count);
// Returns the ranks of processes, of which this one is `ranks`. It must outlive what is prepared.
RankGroup process_group(Ranks& ranks);

// A rank's part of a problem, in memory of its own.
class SolvePart {
 public:
  virtual ~SolvePart() = default;
  virtual Iteration& iteration() const = 0;
  virtual const Partition& partition() const = 0;
  virtual void load() = 0;   // copies the problem and the start of a solve from the whole problem
  virtual void store() = 0;  // copies the answer to it
  // Collective. Completes the answer in the whole problem of each process, which has stored its part.
  virtual void share(Ranks&) = 0;
};

// Runs the iterations of all parts. All have the same residuals, so that any may answer for all.
// Adds the next rank to facts: its cells, and what it has done in a number of steps, `busy` seconds long.
void add_rank(RankFacts&, double cells, double busy, const Communicated&, double steps = 1);
// Returns the detail of a rank's time in one of these steps.
RankDetail rank_detail(const Communicated&, double steps = 1);

class RankedIteration : public Iteration {
 public:
  // make_part(ranks) makes the part of a rank. `access`: null, or set here; a solve copies between the whole
  // problem and the parts only if that does not. Throws std::runtime_error with its rank for a failure.
  RankedIteration(RankGroup, const std::function<std::unique_ptr<SolvePart>(Ranks&)>& make_part,
                  RankAccess* access = nullptr);

  void start() override;
  int advance(int most, double reduction) override;
  std::vector<NamedValue> residuals() override;
  std::vector<NamedValue> results() override;
  void store() override;
  void finish() override;

  double highest_residual() const override { return first().highest_residual(); }
  int period() const override { return first().period(); }
  int longest_interval() const override { return first().longest_interval(); }
  bool residuals_are_shares() const override { return first().residuals_are_shares(); }
  bool has_stalled() const override { return first().has_stalled(); }
  int final_iteration() const override { return first().final_iteration(); }

  Cost cost(int iterations) const override;
  Cost check_cost() const override;
  Resources resources() const override;

 protected:
  // Returns the first part of this process.
  SolvePart& first_part() const { return *parts_[std::size_t(group_.process ? group_.process->rank() : 0)]; }

 private:
  Iteration& first() const { return first_part().iteration(); }
  // Collective between processes. Copies the answer to the whole problem, which each process then has.
  void copy_back();
  void on_parts(const std::function<void(SolvePart&)>&);
  std::vector<NamedValue> values_of_first(const std::function<std::vector<NamedValue>(Iteration&)>&);
  Cost sum_of(const std::function<Cost(const Iteration&)>&) const;
  RankFacts facts() const;
  std::vector<RankDetail> details() const;

  bool copies_;                                     // a solve copies to the parts and back
  std::vector<std::unique_ptr<TimedRanks>> ranks_;  // null: a rank of another process
  std::vector<double> busy_;                        // seconds of each rank in this solve
  std::vector<std::unique_ptr<SolvePart>> parts_;   // null: a rank of another process
  RankGroup group_;                                 // ends before the parts, and its threads with it
};

}  // namespace cfdmark
