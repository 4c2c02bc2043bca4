// A flow in a backend's memory, with the fields that an iteration of velocities and pressure needs.
#pragma once

#include <vector>

#include "solvers/linear/operations.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Where velocities lie: with the pressure at the centres of cells, in 2-D; or on the faces that they go
// through, u(i, j) on the west face of cell (i, j), v(i, j) on its south face and in 3-D w(i, j, k) on its
// bottom face, of the last of a row in the ghosts.
enum class Arrangement { collocated, staggered };

class FlowSystem {
 public:
  // All fluid, at rest, until something is uploaded. What only the other arrangement needs is not there.
  // Throws std::invalid_argument of a collocated flow in 3-D, and of a staggered one with forces that differ
  // from place to place.
  FlowSystem(Backend&, Precision, const Grid&, const FlowDomain&, RoutineClock* = nullptr,
             Arrangement = Arrangement::collocated);
  FlowSystem(const FlowSystem&) = delete;  // systems are views of its fields
  FlowSystem& operator=(const FlowSystem&) = delete;

  // What lies behind each face of a problem, and the flow to start from; values of any precision.
  void upload(const FlowProblem&, const FlowFields&);
  FlowFields download() const;
  // Another field of the flow, at rest.
  Field field(FieldPlace = FieldPlace::cell) const;
  // And of a velocity on faces, which schemes of second order read two layers beyond.
  Field face_velocity() const { return Field(backend, grid_.with_halo(2), precision); }
  // u and v, in 3-D w too.
  std::vector<Field*> velocities() { return grid_.is_3d() ? std::vector{&u, &v, &w} : std::vector{&u, &v}; }

  Backend& backend;
  Precision precision;
  FlowDomain domain;
  RoutineClock* clock;
  double time_step = 0;              // of an iteration; 0: it is none in time
  std::optional<double> elapsed;     // in the iterations so far, where their steps differ
  Field thermal_faces, temperature;  // where there is heat
  Field force_x, force_y;            // on a unit of volume, where the domain has them
  Field w;                           // in 3-D
  Field faces, u, v, old_u, old_v, p, px, py, mass_x, mass_y, correction;
  // west, east, south, north, [bottom, top,] centre
  std::vector<Field> momentum_arrays, pressure_arrays;
  Field bu, bv, surplus;  // right-hand sides; surplus is that of mass

  // The linear systems of the iteration.
  System u_system() const { return system(momentum_arrays, bu, u); }
  System v_system() const { return system(momentum_arrays, bv, v); }
  System pressure_system() const { return system(pressure_arrays, surplus, correction); }
  // Staggered: the pressure's own, its arrays areas over distances.
  System poisson_system() const;
  const Grid& grid() const { return grid_; }
  // What lies behind each face, for the pressure and its correction: an outlet that gives no pressure is to
  // them like any other boundary with a given velocity.
  AnyView pressure_faces() const { return domain.outflow ? faces_without_outlets_.view() : faces.view(); }
  AnyView diagonal() const { return momentum_arrays.back().view(); }

 private:
  System system(const std::vector<Field>& arrays, const Field& b, const Field& x) const;
  void upload_staggered(const FlowProblem&, const FlowFields&);
  void upload_velocity(int axis, const HostField& mass, const HostField& at_centres);
  void upload_poisson(const HostField& faces);
  FlowFields download_staggered() const;

  Grid grid_;
  Arrangement arrangement_;
  FlowFields boundary_;          // staggered: as it was uploaded
  Field faces_without_outlets_;  // where the domain has an outflow
};

}  // namespace cfdmark
