// Models of the eddy viscosity: a subgrid-scale model (Smagorinsky), and a mixing length for a mean flow.
#pragma once

#include <vector>

#include "solvers/flow/staggered_sweep.hpp"

namespace cfdmark {

// Returns the settings of the model.
std::vector<Setting> eddy_settings();
// Returns true if a config, complete or partial, selects a model.
bool has_eddies(const Config&);
// Returns the turbulent Prandtl number Pr_t; the eddy diffusivity of heat is nu_t / Pr_t.
double turbulent_prandtl(const Config&);
// Returns true if a complete config sets Pr_t, which a flow without heat refuses.
bool sets_turbulent_prandtl(const Config&);
// Adds the constraints between the model's settings. With a model, time_steps defaults to `stable` unless
// time_step is given.
void complete_eddy_space(TuningSpace&);

// Returns the length l of nu_t = l^2 |S| in each fluid cell; 0 in solid cells. `faces`: CellFaces of each
// cell.
// - smagorinsky: C_s Delta, with Delta the cube root of the cell's volume, in 2-D the square root of its area
// - mixing_length: 0.41 y, with y the distance to the nearest wall along the axes (Prandtl 1925)
//
// Van Driest's damping (1956) multiplies l by 1 - exp(-y u_tau / (26 nu)). u_tau is the setting
// friction_speed, or the value at which wall friction balances the driving force. Throws
// std::invalid_argument if a cell of a mixing-length flow has no wall along any axis.
HostField eddy_lengths(const FlowDomain&, const HostField& faces, const Config&);

class EddyModel {
 public:
  // The flow must outlive this object. Throws std::invalid_argument if van Driest's damping has no u_tau, or
  // if turbulent_prandtl is set for a flow without heat.
  EddyModel(FlowSystem&, const Config&, const StaggeredSweeps&);

  void start();  // call after the flow was uploaded
  // Returns operations that compute nu_t from the present flow and add the eddy stresses to `rates`. Run in
  // order.
  std::vector<Operation> add_to(const std::vector<AnyView>& rates) const;
  // nu_t as the last run of these operations computed it.
  AnyView viscosity() const { return eddy_.view(); }

 private:
  void start_on_ranks();
  void take_part(const HostField& lengths_of_domain);

  FlowSystem& flow_;
  const Config config_;
  const StaggeredSweeps& sweeps_;
  Field length_, eddy_;
  bool knows_lengths_ = false;
};

}  // namespace cfdmark
