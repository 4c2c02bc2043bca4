// Settings of SIMPLE and PISO, and the construction of their methods.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/finite_volume.hpp"
#include "solvers/flow/inner_solve.hpp"
#include "solvers/flow/method.hpp"

namespace cfdmark {

// Discretisation of the equations, and how far each is solved.
struct Coupling {
  Convection convection = Convection::central;
  bool rhie_chow = true;
  double velocity_relaxation = 1, pressure_relaxation = 1;
  double time_step = 0;                // 0: steady
  bool second_order = false;           // in time (TimeLevels)
  int sweep_depth = 1;                 // red-black passes per pass over memory
  std::string sweep_method = "usual";  // method of these passes; persistent: all passes in one launch
  InnerSettings momentum, pressure;
  double pressure_omega = 1;  // over-relaxation factor of sor
};

// Returns the settings of a pressure equation.
std::vector<Setting> pressure_settings(const std::string& usual_solver, int usual_sweeps);
// Returns the inner settings of "momentum" or of "pressure".
InnerSettings inner_settings(const Config&, const std::string& of);
// Adds the backend's settings and the constraints between all settings to a flow method's space.
void complete_flow_space(BackendKind, TuningSpace&);
// Returns the part of a config that kernels and cycles on CPUs take: the number of threads, and on ranks
// gather_cells.
Config threads_of(const Config&);

// Default solves of the equations; momentum uses red-black passes.
struct UsualSolves {
  int momentum_sweeps;
  double momentum_tolerance = 0;  // 0: fixed number of iterations
  const char* pressure_solver;
  int pressure_sweeps;
};
// Returns one method made by `prepare`; none on a backend without the kernels. Its settings are those of
// every flow, `own`, and the backend's.
std::vector<FlowMethod> flow_methods(
    BackendKind, std::string name, const UsualSolves&, const std::vector<Setting>& own,
    std::function<std::unique_ptr<Iteration>(FlowSystem&, const Config&)> prepare,
    SourcePlace = SourcePlace::here());
// Returns the coupling that the config of such a method describes.
Coupling coupling_of(const Config&, bool rhie_chow);

}  // namespace cfdmark
