// Geometric multigrid: levels of ever coarser grids, and a cycle over them.
//
// Any grid of more than one unknown is coarsened, to one unknown in the end (kernels/grid_transfer says how,
// and what becomes of the operator). A direction is coarsened while its couplings are at least half of the
// strongest ones: so point smoothing is enough on oblong grids too. How strong they are is asked of the
// operator's constant weights, of arrays too, which keep them beside (OwnedSystem): their values may not be
// there yet.
//
// A cycle is a list of operations that is made once and never looks at a number: it can be recorded as a
// graph.
#pragma once

#include <memory>
#include <vector>

#include "kernels/grid_transfer/grid_transfer.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/linear/method.hpp"

namespace cfdmark {

using SmoothingMethod = Method<CellArgs<RedBlackSor>>;

// The methods of red-black sweeps that a level takes: the plain one first, and those of several sweeps.
Methods<CellArgs<RedBlackSor>> smoothing_methods(BackendKind);
// Whether several sweeps in one pass are the best of them, where a backend has such.
bool smooths_best_by_several(BackendKind);
// One of several sweeps that is best for a system, else the plain one.
SmoothingMethod usual_smoothing(const System&);
// nu1, nu2, cycle ..: what may be said of a cycle.
void add_cycle_settings(BackendKind, TuningSpace&);
// A cycle gains a factor of ten and more: every one is looked at.
inline const Setting cycle_interval{"check_interval", {1, 2, 4}, 1, between_looks};
// Among the results of a solve: where it is more than one, sweeps solve the coarsest grid as far as they can.
inline constexpr const char* coarsest_unknowns = "coarsest_unknowns";
// Zero into all of a system's unknown, ghosts too.
Operation clear_unknown(const System&);

// How a grid is coarsened whose operator has these weights; none if it has one unknown.
Coarsening next_coarsening(const Grid&, const Operator& weights);

class MultigridCycle {
 public:
  // symmetric: as a preconditioner of conjugate gradients must be, its sweeps up undo the order of those
  // down. Without it a cycle gains about twice as much.
  MultigridCycle(const System&, const SmoothingMethod&, const Config&, bool symmetric);
  MultigridCycle(const MultigridCycle&) = delete;  // what is recorded knows its place
  ~MultigridCycle();

  // The coarse operators from the system's, whose values may have changed.
  void start() const;
  // One cycle: brings the system's u nearer to its solution. From the second on a graph, where launch_mode
  // says so; not where it is timed by routine.
  void operator()();

  int levels() const;
  Grid coarsest() const;
  Cost cost() const;        // of a cycle
  Cost start_cost() const;  // of start()
  Resources resources() const;

 private:
  struct Level;
  struct Pass {
    const Operation* operation;
    std::size_t level;
  };
  void add_levels(const System&, const SmoothingMethod&, const Config&, bool symmetric);
  void add_block(const Config&, bool symmetric);
  void add_cycle(std::vector<Pass>&, const std::string& kind, std::size_t from_level,
                 std::size_t in_block_from) const;
  std::vector<const Operation*> passes_of(const Level&) const;
  void run() const;
  void run_timed() const;

  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<Operation> start_;
  Operation block_;                              // a V-cycle over the levels from in_block_from_ on
  std::size_t in_block_from_ = std::size_t(-1);  // none
  // A cycle; and the same where no block does several levels, which is timed by routine.
  std::vector<Pass> cycle_, passes_;
  RoutineClock* clock_;
  bool is_recorded_;
  RecordedWork recorded_;
};

}  // namespace cfdmark
