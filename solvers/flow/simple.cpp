// SIMPLE (Patankar and Spalding 1972; Normore 2010, algorithm 2.1): alternates between the momentum equations
// with the present pressure and a pressure correction that conserves mass.
#include "solvers/flow/pressure_velocity.hpp"

namespace cfdmark {
namespace {

const Range share{Range::Kind::real, 0.01, 1};
const Setting velocity_relaxation{
    "velocity_relaxation", {0.7, 0.8, 0.9}, 0.7, "under-relaxation: fraction of the new velocity", "", share};
const Setting pressure_relaxation{"pressure_relaxation",
                                  {0.1, 0.2, 0.3},
                                  0.3,
                                  "under-relaxation: fraction of the pressure correction",
                                  "",
                                  share};

Coupling simple_coupling(const Config& config, bool rhie_chow) {
  Coupling coupling = coupling_of(config, rhie_chow);
  coupling.velocity_relaxation = config.real(velocity_relaxation.name);
  coupling.pressure_relaxation = config.real(pressure_relaxation.name);
  return coupling;
}

class Simple final : public PressureVelocity {
 public:
  using PressureVelocity::PressureVelocity;

 private:
  void iterate() override {
    keep_velocity();
    solve_momentum();
    make_fluxes();
    make_pressure_equation();
    solve_pressure();
    correct();
    make_momentum_equations();
  }
};

// Five momentum passes: with two, deferred-correction central convection can oscillate without converging.
// Five cost no more time, since they save iterations.
constexpr UsualSolves usual{.momentum_sweeps = 5, .pressure_solver = "sor", .pressure_sweeps = 40};

// rhie_chow: face velocities by Rhie and Chow; paper: the mean of both cells, as in the thesis.
std::vector<FlowMethod> simple_methods(BackendKind kind) {
  std::vector<FlowMethod> methods;
  for (const bool rhie_chow : {true, false})
    for (FlowMethod& method :
         flow_methods(kind, rhie_chow ? "rhie_chow" : "paper", usual,
                      {velocity_relaxation, pressure_relaxation}, [=](FlowSystem&flow, const Config&config) {
                        return std::make_unique<Simple>(flow, simple_coupling(config, rhie_chow), config);
                      }))
      methods.push_back(std::move(method));
  return methods;
}

}  // namespace

FlowSolverDescription simple_solver() { return {"simple", simple_methods, 50000}; }

}  // namespace cfdmark
