// A linear solver and its methods on a backend. Each solver's file ends in a table of methods.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/method.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/base/iteration.hpp"
#include "solvers/base/recording.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

// The methods that run on ranks, for errors of others.
inline constexpr const char* methods_on_ranks =
    "jacobi/plain, sor/plain, multigrid/plain, cg/textbook, pcg/textbook, pcg/multigrid or bicgstab/textbook";

inline constexpr const char* between_looks = "iterations between two residual checks";

// One way to run a linear solver on a backend.
struct SolverMethod {
  std::string name;
  TuningSpace space;  // check_interval and the settings of the method's main kernels
  // Returns an iteration on a system in fp32 or fp64, with memory allocated and code compiled. The config
  // must be complete and valid. On a counting backend (kernels/device/backends/counting.hpp) it only
  // allocates.
  std::function<std::unique_ptr<Iteration>(const System&, const Config&)> prepare;
  // Returns why the method cannot solve a system; empty if it can. Null: it can solve every system.
  std::function<std::string(const SystemShape&)> unsupported = nullptr;
  // Returns true if it should be the default for such a system, as its kernel declares. Null: false.
  std::function<bool(const SystemShape&)> preferred = nullptr;
  // Temporary host memory of preparing the method, in bytes. Null: none.
  double (*host_bytes)(const SystemShape&) = nullptr;
  // True if a library performs the iterations, so that no device code exists to compile or emulate.
  bool library = false;
  // True if it reads the operator's values while it is prepared, as a library does; later ones go unseen.
  bool reads_values_once = false;
  // True if it supports periodic sides.
  bool does_periodic = false;
  // The least form of the operator that it requires. One that requires operations only also runs over ranks.
  OperatorForm needs = OperatorForm::stencil;
  // True if it supports a stencil over ranks: it exchanges ghosts before each kernel that reads neighbours.
  bool does_ranks = false;
  // Returns the number of cells at whose multiples it prefers cuts between ranks, a power of two. Null: 1.
  std::function<int(const Grid& domain, int ranks, const Config&)> rank_alignment = nullptr;
  // Settings that it has on ranks only.
  std::vector<Setting> rank_settings = {};
  // Source file of the method, whose fingerprint its tuned configs carry. Set automatically.
  SourcePlace described_at = SourcePlace::here();

  std::string why_unsupported(const SystemShape& shape) const {
    if (shape.form > needs)
      return needs == OperatorForm::stencil
                 ? "only stencils are supported; use cg/textbook or bicgstab/textbook"
                 : "the whole matrix is needed; use cg/textbook or bicgstab/textbook";
    if (shape.over_ranks && needs != OperatorForm::operations && !does_ranks)
      return std::string("ranks are not supported; use ").append(methods_on_ranks);
    if (shape.sides.are_periodic() && !does_periodic)
      return "periodic sides are not supported; use cg/textbook, multigrid/plain or direct";
    return unsupported ? unsupported(shape) : "";
  }
  bool is_preferred(const SystemShape& shape) const { return preferred && preferred(shape); }
};

// Boundaries of solvers that have a method for periodic sides.
inline const std::vector<BoundaryKind> all_boundaries = {BoundaryKind::dirichlet, BoundaryKind::neumann,
                                                         BoundaryKind::periodic};

struct SolverDescription {
  std::string name;
  std::vector<SolverMethod> (*methods)(BackendKind);
  std::vector<BoundaryKind> boundaries = {BoundaryKind::dirichlet,
                                          BoundaryKind::neumann};  // supported boundaries
  bool needs_symmetry = false;                                     // of the operator
  // Why it cannot solve a singular system (Sides::is_singular). Null: it can.
  const char* needs_held_value = nullptr;
  bool is_slow = false;  // its iterations grow with the square of the cells per side
};

SolverDescription jacobi_solver();
SolverDescription gauss_seidel_solver();
SolverDescription sor_solver();
SolverDescription cg_solver();
SolverDescription pcg_solver();
SolverDescription multigrid_solver();
SolverDescription bicgstab_solver();
SolverDescription direct_solver();

// Placeholder for a method whose library was missing at build time: unsupported everywhere, with the reason.
SolverMethod missing_method(std::string name, std::string why);

// Adds graph_iterations to a method on CUDA. Its iterations must consist of launches and copies only, without
// library calls.
void allow_graphs(BackendKind, SolverMethod&);

}  // namespace cfdmark
