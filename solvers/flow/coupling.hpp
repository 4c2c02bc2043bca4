// What SIMPLE and PISO may be set, and their methods.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/finite_volume.hpp"
#include "solvers/flow/inner_solve.hpp"
#include "solvers/flow/method.hpp"

namespace cfdmark {

// How the equations are made and how far they are solved.
struct Coupling {
  Convection convection = Convection::central;
  bool rhie_chow = true;
  double velocity_relaxation = 1, pressure_relaxation = 1;
  double time_step = 0;                // 0: steady
  int sweep_depth = 1;                 // red-black sweeps in one pass over memory
  std::string sweep_method = "usual";  // that makes them, or `persistent`, all in one launch
  InnerSettings momentum, pressure;
  double pressure_omega = 1;  // of sor
};

// Those of an equation of pressure.
std::vector<Setting> pressure_settings(const std::string& usual_solver, int usual_sweeps);
// Of the equations of "momentum" or of "pressure".
InnerSettings inner_settings(const Config&, const std::string& of);
// A flow method's own settings get the backend's, and what holds between them all.
void complete_flow_space(BackendKind, TuningSpace&);
// The part of a config that every kernel takes.
Config threads_of(const Config&);

// How the equations are solved by default: momentum by sweeps.
struct UsualSolves {
  int momentum_sweeps;
  double momentum_tolerance = 0;  // 0: a fixed number of sweeps
  const char* pressure_solver;
  int pressure_sweeps;
};
// A method by `prepare`, or none where the kernels are not. Its settings: those of every flow, the solver's
// own, and the backend's.
std::vector<FlowMethod> flow_methods(
    BackendKind, std::string name, const UsualSolves&, const std::vector<Setting>& own,
    std::function<std::unique_ptr<Iteration>(FlowSystem&, const Config&)> prepare,
    SourcePlace = SourcePlace::here());
// From a config of such a method.
Coupling coupling_of(const Config&, bool rhie_chow);

}  // namespace cfdmark
