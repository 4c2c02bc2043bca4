// A flow in a backend's memory, with all that one pressure-velocity iteration needs, and its kernels
// prepared.
#pragma once

#include <vector>

#include "kernels/momentum/momentum.hpp"
#include "solvers/linear/operations.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

class FlowSystem {
 public:
  // All fluid, at rest, until something is uploaded.
  FlowSystem(Backend&, Precision, const Grid&, const FluidCell&, RoutineClock* = nullptr);
  FlowSystem(const FlowSystem&) = delete;  // systems are views of its fields
  FlowSystem& operator=(const FlowSystem&) = delete;

  // What lies behind each face, and the flow to start from; values of any precision.
  void upload(const HostField& faces, const FlowFields&);
  FlowFields download() const;

  Backend& backend;
  Precision precision;
  FluidCell cell;
  RoutineClock* clock;
  Field faces, u, v, old_u, old_v, p, px, py, mass_x, mass_y, correction;
  std::vector<Field> momentum_arrays, pressure_arrays;  // west, east, south, north, centre
  Field bu, bv, surplus;                                // right-hand sides; surplus is that of mass

  // The linear systems of the iteration.
  System u_system() const { return system(momentum_arrays, bu, u); }
  System v_system() const { return system(momentum_arrays, bv, v); }
  System pressure_system() const { return system(pressure_arrays, surplus, correction); }
  AnyView diagonal() const { return momentum_arrays.back().view(); }

 private:
  Field field(FieldPlace) const;
  System system(const std::vector<Field>& arrays, const Field& b, const Field& x) const;

  Grid grid_;
};

}  // namespace cfdmark
