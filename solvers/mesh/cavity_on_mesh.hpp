// The driven cavity on a mesh of triangles (S. Menon's thesis, 2008, equation 7.18), and a solve of it by
// fractional steps.
#pragma once

#include "solvers/base/family.hpp"
#include "solvers/mesh/fractional_step.hpp"
#include "solvers/mesh/step_check.hpp"

namespace cfdmark {

// Returns a flow at rest in a connected mesh of triangles whose highest faces, the lid, move in x with
// velocity 1; its other sides are walls. Lengths are in units of the mesh's height. The time step is
// `courant` times the side of a square with the area of two mean cells.
MeshFlow cavity_on_mesh(std::shared_ptr<const Mesh>, double reynolds, double courant, int steps);

// The velocity in each cell that the vertical line through the middle of the mesh crosses, by height.
struct CentrelineCell {
  double y, u;
};
std::vector<CentrelineCell> centreline_velocities(const Mesh&, const std::vector<double>& flux);

// A prepared solve by fractional steps, in fp32 or fp64.
class PreparedStep final : public PreparedSolve {
 public:
  PreparedStep(StepKind, Backend&, Precision, const Config&, std::shared_ptr<const MeshFlow>);

  // The shape of a flow: its mesh.
  void load(std::shared_ptr<const Problem>) override;
  void reset() override;
  // Recomputes the residuals and the equations of the last step on the host.
  Judgement verify(Outcome&, double tolerance) override;
  Solver& solver() const override { return *solver_; }
  std::size_t field_bytes() const override { return field_bytes_; }

  StepFluxes fluxes() const;

 private:
  Config config_;
  StepState state_;
  std::unique_ptr<Solver> solver_;
  std::size_t field_bytes_;
};

// Returns the bytes of fields and lists on a backend for a mesh of these counts.
double step_bytes(StepKind, const MeshCounts&, Precision);

// The solvers and the problem of the family (solvers/mesh/family.cpp): fractional_step and exact_step, and
// mesh_cavity.
std::vector<FamilySolver> fractional_step_solvers();
FamilyProblem mesh_cavity();

}  // namespace cfdmark
