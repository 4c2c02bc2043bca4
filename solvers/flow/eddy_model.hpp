// The viscosity of eddies that a grid does not resolve, or that a mean flow does not know: Smagorinsky's, or
// that of a mixing length.
#pragma once

#include <vector>

#include "solvers/flow/staggered_sweep.hpp"

namespace cfdmark {

// What may be set of it.
std::vector<Setting> eddy_settings();
// Whether a config, or what is given of one, asks for it.
bool has_eddies(const Config&);
// Pr_t of a config: eddies carry heat by nu_t / Pr_t.
double turbulent_prandtl(const Config&);
// What holds between its settings; where it is asked for, steps follow the limit of stability unless their
// length is given.
void complete_eddy_space(TuningSpace&);

// The length l of nu_t = l^2 |S| in each cell of the fluid, from what lies behind each face:
//   smagorinsky    C_s Delta, Delta the cube root of the cell's volume, in 2-D the square root of its area
//   mixing_length  0.41 y, y the distance along the axes to the nearest wall (Prandtl 1925)
// either times 1 - exp(-y u_tau / (26 nu)) if van Driest's damping (1956) is asked for. u_tau is the
// config's, or what the force on a driven flow rubs its walls with. Throws std::invalid_argument if a flow
// without walls is to have a mixing length.
HostField eddy_lengths(const FlowDomain&, const HostField& faces, const Config&);

class EddyModel {
 public:
  // The flow outlives it. Throws std::invalid_argument where van Driest's damping knows no u_tau, or a
  // turbulent Prandtl number is given for a flow without heat.
  EddyModel(FlowSystem&, const Config&, const StaggeredSweeps&);

  void start();  // once the flow was uploaded
  // Adds to rates what eddies do to the flow as it is by then. Steps in turn.
  std::vector<Operation> add_to(const std::vector<AnyView>& rates) const;
  // nu_t as those found it.
  AnyView viscosity() const { return eddy_.view(); }

 private:
  FlowSystem& flow_;
  const Config config_;
  const StaggeredSweeps& sweeps_;
  Field length_, eddy_;
  bool knows_lengths_ = false;
};

}  // namespace cfdmark
