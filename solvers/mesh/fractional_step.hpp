// Fractional steps of a flow on a mesh of triangles. S. Menon's thesis (2008), chapter 7:
//
//   r = M U / dt + Int(-C_c + what walls drag)     M = L / A_f, convection C_c explicit, diffusion implicit
//   classical:  A U* = r,  D (dt A_f / L) G p = D U*,  U = U* - dt (A_f / L) G p
//   exact:      C^T A C s = C^T r,  U = C s
//
// CG solves each system from its last solution. The divergence of U is CG's residual in a classical step and
// rounding in an exact one.
#pragma once

#include "solvers/flow/inner_solve.hpp"
#include "solvers/mesh/step_operators.hpp"

namespace cfdmark {

enum class StepKind { classical, exact };

// The fields of a flow in a backend's memory.
struct StepState {
  // Allocates on a backend, in fp32 or fp64, and uploads the start of the flow.
  StepState(Backend&, Precision, std::shared_ptr<const MeshFlow>, StepKind, RoutineClock* = nullptr);

  // Uploads the start of the flow.
  void reset();
  // Returns a system of an operator with a right-hand side and an unknown among the fields.
  System system(std::shared_ptr<const LinearOperator>, const Field& b, const Field& x) const;

  std::shared_ptr<const MeshFlow> flow;
  StepKind kind;
  RoutineClock* clock;
  std::shared_ptr<StepFields> fields;
  Field flux, old_flux, rhs;  // on faces: U, that before the last step, and r
  Field pressure, loss;       // classical, on cells: p and -D U*
  Field stream, stream_rhs;   // exact, on nodes: s and C^T r
  Field divergence;           // on cells
  bool has_stepped = false;   // since the start
};

// Settings of both kinds of steps: check_interval, convection, cg_tolerance and cg_iterations.
std::vector<Setting> step_settings();
bool is_upwind_step(const Config&);
double cg_tolerance_of(const Config&);
// Returns whether a backend has the kernels.
bool has_mesh_kernels(BackendKind);

// Returns an iteration whose iterations are steps. Its residuals are `change`, the change of U in a unit of
// time relative to U, and `continuity`, the divergence relative to U, both by 2-norms over faces and cells.
// It ends after MeshFlow::steps. Results: mean CG iterations of a step, by system.
std::unique_ptr<Iteration> fractional_step(StepState&, const Config&);

}  // namespace cfdmark
