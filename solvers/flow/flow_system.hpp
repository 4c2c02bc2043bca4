// A flow in a backend's memory, with the fields that an iteration of velocities and pressure needs.
#pragma once

#include <vector>

#include "solvers/linear/operations.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

class FlowSystem {
 public:
  // All fluid, at rest, until something is uploaded.
  FlowSystem(Backend&, Precision, const Grid&, const FlowDomain&, RoutineClock* = nullptr);
  FlowSystem(const FlowSystem&) = delete;  // systems are views of its fields
  FlowSystem& operator=(const FlowSystem&) = delete;

  // What lies behind each face, and the flow to start from; values of any precision.
  void upload(const HostField& faces, const FlowFields&);
  FlowFields download() const;
  // Another field of the flow, at rest.
  Field field(FieldPlace = FieldPlace::cell) const;

  Backend& backend;
  Precision precision;
  FlowDomain domain;
  RoutineClock* clock;
  double time_step = 0;  // of an iteration; 0: it is none in time
  Field faces, u, v, old_u, old_v, p, px, py, mass_x, mass_y, correction;
  std::vector<Field> momentum_arrays, pressure_arrays;  // west, east, south, north, centre
  Field bu, bv, surplus;                                // right-hand sides; surplus is that of mass

  // The linear systems of the iteration.
  System u_system() const { return system(momentum_arrays, bu, u); }
  System v_system() const { return system(momentum_arrays, bv, v); }
  System pressure_system() const { return system(pressure_arrays, surplus, correction); }
  const Grid& grid() const { return grid_; }
  // What lies behind each face, for the pressure and its correction: an outlet that gives no pressure is to
  // them like any other boundary with a given velocity.
  AnyView pressure_faces() const { return domain.outflow ? faces_without_outlets_.view() : faces.view(); }
  AnyView diagonal() const { return momentum_arrays.back().view(); }

 private:
  System system(const std::vector<Field>& arrays, const Field& b, const Field& x) const;

  Grid grid_;
  Field faces_without_outlets_;  // where the domain has an outflow
};

}  // namespace cfdmark
