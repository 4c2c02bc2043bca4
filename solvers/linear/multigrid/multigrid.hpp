// Geometric multigrid: a hierarchy of coarser grids and cycles over it.
//
// Grids are coarsened down to one unknown, with three exceptions. The setting `levels` limits their number. A
// periodic axis with an odd number of points is not coarsened. A singular system keeps at least two unknowns.
// kernels/grid_transfer defines the transfers and the coarse operators.
//
// A direction is coarsened while its coupling is at least half of the strongest one. This semi-coarsening
// keeps point smoothing effective on anisotropic grids. The coupling of a direction is the operator's
// constant weight (wx, wy, wz). An operator in arrays, whose coefficients vary, carries such weights too
// (OwnedSystem). They stand for its coefficients, since the arrays may not be filled when the grids
// are chosen.
//
// On ranks fine levels are parted between them, and each rank repeats the cycle on coarse levels
// (level_parts.hpp).
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

// Returns the red-black methods that a level can use. The plain one, which makes one pass per run of its
// step, comes first. Those with several passes per run (Method::steps) follow.
Methods<CellArgs<RedBlackSor>> smoothing_methods(BackendKind);
// Returns true if a backend prefers methods with several passes per run to the plain one. On CUDA only those
// that declare it (Method::preferred) are preferred.
bool smooths_best_by_several(BackendKind);
// Returns the first method with several passes per run that supports the system and is preferred for it, else
// the plain one.
SmoothingMethod usual_smoothing(const System&);
// Adds nu1, nu2, cycle and the other settings of a cycle.
void add_cycle_settings(BackendKind, TuningSpace&);
// Sets what a method with cycles has on ranks: its setting and the alignment of cuts.
void run_cycles_on_ranks(SolverMethod&);
// Cycles between two residual checks. Few cycles suffice, since one reduces the residual about tenfold, so
// the default checks after each.
inline const Setting cycle_interval{"check_interval", {1, 2, 4}, 1, between_looks};
// Name of a result of a solve. If it exceeds 1, smoothing passes solve the coarsest grid approximately.
inline constexpr const char* coarsest_unknowns = "coarsest_unknowns";
// Returns an operation that zeroes the system's u with its ghosts.
Operation clear_unknown(const System&);

// Returns how to coarsen a grid whose operator has these weights; nothing for a grid of one unknown.
Coarsening next_coarsening(const Grid&, const Operator& weights);

class LevelOperations;

class MultigridCycle {
 public:
  // symmetric: post-smoothing updates the colours in the reverse order of pre-smoothing. CG requires this of
  // a preconditioner. An unsymmetric cycle converges faster.
  MultigridCycle(const System&, const SmoothingMethod&, const Config&, bool symmetric);
  MultigridCycle(const MultigridCycle&) = delete;  // the recorded work refers to this object
  ~MultigridCycle();

  // Computes the coarse operators from the system's, whose values may have changed.
  void start() const;
  // Performs one cycle on the system's u. With launch_mode=graph it replays a CUDA graph from the second call
  // on. While the system's clock is on, each operation is launched and timed by itself instead
  // (routines.hpp).
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
  static std::unique_ptr<Level> coarse_level(const Level& fine, const Config&);
  void add_operator_coarsening(const LevelOperations&, const Level& fine, const Level& coarse);
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
