// An iteration on ranks of this host, one a thread, each on its part of a problem.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/ranks/thread_ranks.hpp"
#include "solvers/base/iteration.hpp"
#include "solvers/linear/system/communicator.hpp"

namespace cfdmark {

// Makes the communicator of a rank.
using MakeCommunicator = std::function<std::unique_ptr<const Communicator>(Ranks&, const Partition&)>;
// Returns the one that exchanges values with the other ranks (RankCommunicator).
std::unique_ptr<const Communicator> rank_communicator(Ranks&, const Partition&);

// Copies the part of a rank with all its ghosts from a field of the whole domain on the host, at cells or
// faces.
void copy_part(const AnyView& whole, const CellBox& own, const AnyView& part);
// Copies its cells back, and its last faces if they are the domain's own.
void copy_part_back(const AnyView& part, const CellBox& own, const AnyView& whole);

// Returns the domain's parts with cuts at multiples of `align`, a power of two, or of a smaller one where
// parts would have no cells: of 2 at least, or of 1 if `align` is 1. Throws std::invalid_argument as
// Partition::of.
Partition aligned_parts(const Grid&, int ranks, const PartShape&, int align,
                        const std::array<bool, 3>& periodic);

// A rank's part of a problem, in memory of its own.
class SolvePart {
 public:
  virtual ~SolvePart() = default;
  virtual Iteration& iteration() const = 0;
  virtual void load() = 0;   // copies the problem and the start of a solve from the whole problem
  virtual void store() = 0;  // copies the answer to it
};

// Runs the iterations of all parts. All have the same residuals, so that any may answer for all.
class RankedIteration : public Iteration {
 public:
  // Collective: make_part(ranks) makes the part of a rank. Throws std::runtime_error with its rank for a
  // failure.
  RankedIteration(int ranks, const std::function<std::unique_ptr<SolvePart>(Ranks&)>& make_part);

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
  const SolvePart& first_part() const { return *parts_.front(); }

 private:
  Iteration& first() const { return parts_.front()->iteration(); }
  void on_parts(const std::function<void(SolvePart&)>&);

  std::vector<std::unique_ptr<SolvePart>> parts_;
  RankTeam team_;  // ends before the parts
};

}  // namespace cfdmark
