// A flow in a backend's memory, with the fields that SIMPLE, PISO and the projection method need.
#pragma once

#include <functional>
#include <vector>

#include "solvers/flow/saved_flow.hpp"
#include "solvers/linear/system/operations.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Location of the velocities. collocated: at cell centres, as the pressure (2-D only). staggered: on the
// faces; u(i, j) on the west face of cell (i, j), v(i, j) on its south face, w(i, j, k) on its bottom face.
// The last face of a line lies in the ghost layer.
enum class Arrangement { collocated, staggered };

class FlowSystem {
 public:
  // Allocates a flow at rest in a domain of fluid. Fields of the other arrangement stay empty. With
  // `on_ranks` it is a rank's part: the grid is that of the part, and `of` describes the whole domain. Throws
  // std::invalid_argument for a collocated flow in 3-D, and for a staggered flow with spatially varying
  // forces.
  FlowSystem(Backend&, Precision, const Grid&, const FlowDomain& of, RoutineClock* = nullptr,
             Arrangement = Arrangement::collocated, const Communicator* on_ranks = nullptr);
  FlowSystem(const FlowSystem&) = delete;  // systems are views of its fields
  FlowSystem& operator=(const FlowSystem&) = delete;

  // Uploads the face kinds of a problem and the initial flow, whose values may have any precision.
  void upload(const FlowProblem&, const FlowFields&);
  FlowFields download() const;  // the present flow
  // Replaces the uploaded flow by the state `saved`, from which the next start() of an iteration continues.
  void restore();
  // Returns the state once after restore(), else null.
  const SavedFlow* take_saved();
  // Returns the fields, by name, that hold the flow between two iterations.
  std::vector<std::pair<std::string, Field*>> state();
  // Returns another field of the flow, set to 0.
  Field field(FieldPlace = FieldPlace::cell) const;
  // Returns a velocity field on faces with two ghost layers, as second-order schemes need.
  Field face_velocity() const { return Field(backend, grid_.with_halo(2), precision); }
  // Returns u and v, and in 3-D w.
  std::vector<Field*> velocities() { return grid_.is_3d() ? std::vector{&u, &v, &w} : std::vector{&u, &v}; }

  // Returns the fields that an upload sets, and those of an answer, which are the first of them. A part has
  // the same ones in the same order.
  std::vector<Field*> uploaded_fields();
  std::vector<Field*> answer_fields();

  Backend& backend;
  Precision precision;
  FlowDomain domain;
  RoutineClock* clock;
  const SavedFlow* saved = nullptr;  // state of restore(); null: none. Time steps have its length
  bool is_only_checked = false;      // true: residuals of one flow are computed, and no iteration follows
  // Gives a part on a device the face kinds of the whole domain. Called before the first start, because
  // nothing may be allocated while devices wait for each other. Null if the iteration needs none or has them.
  std::function<void(const HostField&)> take_domain_faces;
  double time_step = 0;              // of one iteration; 0: steady
  int multigrid_levels = 0;          // most levels of an inner multigrid solve; 0: no limit
  std::optional<double> elapsed;     // physical time so far, if time steps vary
  std::vector<double> check_times;   // if time steps vary: time of each residual check since the start
  Field thermal_faces, temperature;  // with heat only
  Field force_x, force_y;            // per unit volume; with varying forces only
  Field wall_distances;              // with true distances to the body only
  Field w;                           // 3-D only
  Field faces, u, v, old_u, old_v, p, px, py, mass_x, mass_y, correction;
  // Arrays in the order west, east, south, north, [bottom, top,] centre.
  std::vector<Field> momentum_arrays, pressure_arrays;
  Field bu, bv, continuity_residual;  // right-hand sides of u, v and the pressure

  // Linear systems of an iteration.
  System u_system() const { return system(momentum_arrays, bu, u); }
  System v_system() const { return system(momentum_arrays, bv, v); }
  System pressure_system() const { return system(pressure_arrays, continuity_residual, correction); }
  // Returns the pressure system of a staggered flow, whose coefficients are face area over cell distance.
  System poisson_system() const;
  const Grid& grid() const { return grid_; }
  const Communicator* ranks() const { return ranks_; }  // null: this flow is the whole one
  // Returns the number of cells of the whole domain, and the cells of it that this flow holds.
  Index cells() const { return ranks_ ? ranks_->unknowns() : grid_.cells(); }
  CellBox own() const { return system(pressure_arrays, continuity_residual, p).own(); }
  // True if ghosts change during a solve: those of periodic sides, and those across cuts between ranks.
  bool exchanges() const { return domain.is_periodic() || ranks_; }
  // Face kinds for the pressure and its correction. An outlet without a prescribed pressure acts like a
  // boundary with prescribed velocity.
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
  const Communicator* ranks_;
  bool is_restored_ = false;     // since the last start of an iteration
  FlowFields boundary_;          // staggered: the uploaded flow, for its boundary values
  Field faces_without_outlets_;  // with an outflow only
};

}  // namespace cfdmark
