// A fractional step in plain loops over the mesh on the host, in double: what verification compares a solve
// with. It shares no kernel with the solvers.
#pragma once

#include "solvers/mesh/mesh_flow.hpp"

namespace cfdmark {

// The fluxes before and after a step, and the classical step's pressure. Empty pressure: an exact step.
struct StepFluxes {
  std::vector<double> old_flux, flux, pressure;
};

// change, continuity: as the solvers report them (fractional_step.hpp). equation: residual of the momentum of
// the last step, relative to that of its start; with rounding: the least that arithmetic of this unit
// roundoff explains.
struct StepCheck {
  double change = 0, continuity = 0, equation = 0, rounding = 0;
};

class HostStep {
 public:
  explicit HostStep(const MeshFlow&, bool upwind = false);

  std::vector<Point> interpolated(const std::vector<double>& flux) const;  // to cells
  std::vector<double> integrated(const std::vector<Point>& sums) const;    // of sums / volume, to inner faces
  std::vector<double> momentum(const std::vector<double>& flux) const;     // A U
  std::vector<double> right_side(const std::vector<double>& flux) const;   // r of a step from U
  std::vector<double> divergence(const std::vector<double>& flux) const;
  std::vector<double> rotation(const std::vector<double>& faces) const;  // to inner nodes, else 0
  std::vector<double> corrected(std::vector<double> flux, const std::vector<double>& pressure,
                                double sign) const;

  StepCheck check(const StepFluxes&, double unit_roundoff) const;

 private:
  const MeshFlow& flow_;
  const Mesh& mesh_;
  bool upwind_;
  std::vector<Point> cells_, faces_;
  std::vector<double> volumes_, slopes_;  // area over distance of the centres
  std::vector<char> inner_;
};

}  // namespace cfdmark
