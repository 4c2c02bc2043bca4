// Geometric multigrid: a hierarchy of coarser grids and cycles over it.
//
// Every grid of more than one unknown is coarsened, down to one unknown (kernels/grid_transfer defines the
// transfers and the coarse operators). A direction is coarsened while its coupling is at least half of the
// strongest one; this semi-coarsening keeps point smoothing effective on anisotropic grids. Couplings are
// read from the operator's constant weights, which an operator in arrays keeps too (OwnedSystem), because
// array values may not be set yet.
//
// A cycle is a fixed list of operations without data-dependent branches, so it can be recorded as a graph.
#pragma once

#include <memory>
#include <vector>

#include "kernels/grid_transfer/grid_transfer.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

using SmoothingMethod = Method<CellArgs<RedBlackSor>>;

// Returns the red-black methods that a level can use: the plain one first, then those with several passes per
// run.
Methods<CellArgs<RedBlackSor>> smoothing_methods(BackendKind);
// Returns true if methods with several passes per run are the best smoothers of a backend that has them.
bool smooths_best_by_several(BackendKind);
// Returns the best method with several passes per run for a system, else the plain one.
SmoothingMethod usual_smoothing(const System&);
// Adds nu1, nu2, cycle and the other settings of a cycle.
void add_cycle_settings(BackendKind, TuningSpace&);
// A cycle reduces the residual tenfold or more, so each one is checked.
inline const Setting cycle_interval{"check_interval", {1, 2, 4}, 1, between_looks};
// Name of a result of a solve. If it exceeds 1, smoothing passes solve the coarsest grid approximately.
inline constexpr const char* coarsest_unknowns = "coarsest_unknowns";
// Returns an operation that zeroes the system's u with its ghosts.
Operation clear_unknown(const System&);

// Returns how to coarsen a grid whose operator has these weights; nothing for a grid of one unknown.
Coarsening next_coarsening(const Grid&, const Operator& weights);

class MultigridCycle {
 public:
  // symmetric: post-smoothing reverses the order of pre-smoothing, as a preconditioner of CG requires. An
  // unsymmetric cycle reduces the error about twice as much.
  MultigridCycle(const System&, const SmoothingMethod&, const Config&, bool symmetric);
  MultigridCycle(const MultigridCycle&) = delete;  // the recorded work refers to this object
  ~MultigridCycle();

  // Computes the coarse operators from the system's, whose values may have changed.
  void start() const;
  // Performs one cycle on the system's u. From the second call on it replays a graph if launch_mode says so,
  // but not while it is timed by routine.
  void operator()();

  int levels() const;
  Grid coarsest() const;
  Cost cost() const;        // of one cycle
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
  Operation block_;  // a V-cycle over the levels from in_block_from_ on, in one thread block
  std::size_t in_block_from_ = std::size_t(-1);  // no level
  // The cycle, and the same cycle without block_, which is used when timed by routine.
  std::vector<Pass> cycle_, passes_;
  RoutineClock* clock_;
  bool is_recorded_;
  RecordedWork recorded_;
};

}  // namespace cfdmark
