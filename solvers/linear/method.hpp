// A linear solver, and its methods on a backend: each solver's file ends in a table of these.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/method.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/core/iteration.hpp"
#include "solvers/core/recording.hpp"
#include "solvers/linear/operations.hpp"

namespace cfdmark {

inline constexpr const char* between_looks = "iterations between two looks at the residual";

struct SolverMethod {
  std::string name;
  TuningSpace space;  // check_interval, and the settings of the kernels that the method is about
  // An iteration on a system in fp32 or fp64, with memory allocated and code compiled. The config is complete
  // and valid. On a backend that only counts (kernels/backends/counting.hpp) it allocates and does nothing
  // else.
  std::function<std::unique_ptr<Iteration>(const System&, const Config&)> prepare;
  // Empty if the method can do such a system, else why not. Null: it can do all.
  std::function<std::string(const SystemShape&)> unsupported = nullptr;
  // Whether it is what one wants if nobody chose: that of its kernel. Null: it is not.
  std::function<bool(const SystemShape&)> preferred = nullptr;
  // Bytes of host memory that preparing takes for a while. Null: none.
  double (*host_bytes)(const SystemShape&) = nullptr;
  // True: its iterations are a library's, and nothing of them can be compiled or emulated without a device.
  bool library = false;
  // Whether it can do what has periodic sides.
  bool does_periodic = false;
  // The file that it is written in, whose fingerprint its tuned configs carry. Set by itself.
  SourcePlace described_at = SourcePlace::here();

  std::string why_unsupported(const SystemShape& shape) const {
    if (shape.sides.are_periodic() && !does_periodic)
      return "it fills no ghosts between periodic sides: cg/textbook, multigrid/plain and direct do";
    return unsupported ? unsupported(shape) : "";
  }
  bool is_preferred(const SystemShape& shape) const { return preferred && preferred(shape); }
};

// Of solvers with methods that do periodic sides.
inline const std::vector<BoundaryKind> all_boundaries = {BoundaryKind::dirichlet, BoundaryKind::neumann,
                                                         BoundaryKind::periodic};

struct SolverDescription {
  std::string name;
  std::vector<SolverMethod> (*methods)(BackendKind);
  std::vector<BoundaryKind> boundaries = {BoundaryKind::dirichlet, BoundaryKind::neumann};  // that it can do
  bool needs_symmetry = false;                                                              // of the operator
  // Why it cannot do a system that leaves a constant open. Null: it can.
  const char* needs_held_value = nullptr;
};

SolverDescription jacobi_solver();
SolverDescription gauss_seidel_solver();
SolverDescription sor_solver();
SolverDescription cg_solver();
SolverDescription pcg_solver();
SolverDescription multigrid_solver();
SolverDescription bicgstab_solver();
SolverDescription direct_solver();

// Stands for a method that needs a library which was not there when the program was built: it can do nothing,
// and says why.
SolverMethod missing_method(std::string name, std::string why);

// A method whose iterations can be recorded as CUDA graphs: of launches and copies only, without a library's
// calls.
void allow_graphs(BackendKind, SolverMethod&);

}  // namespace cfdmark
