#include "solvers/flow/pressure_velocity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/face_flux/face_flux.hpp"
#include "kernels/pressure_correction/pressure_correction.hpp"
#include "kernels/pressure_gradient/pressure_gradient.hpp"
#include "kernels/wall_distances/wall_distances.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {
namespace {

constexpr const char* momentum_routine = "solve u, v";

double square_of(double value) { return value * value; }

WallMomentum::Fields<AnyViews> with_distances(const Momentum::Fields<AnyViews>& momentum,
                                              const AnyView& distances) {
  return {.mass_x = momentum.mass_x,
          .mass_y = momentum.mass_y,
          .faces = momentum.faces,
          .distances = distances,
          .u = momentum.u,
          .v = momentum.v,
          .px = momentum.px,
          .py = momentum.py,
          .west = momentum.west,
          .east = momentum.east,
          .south = momentum.south,
          .north = momentum.north,
          .centre = momentum.centre,
          .bu = momentum.bu,
          .bv = momentum.bv};
}

// The clock times both velocities as one routine.
System without_clock(System system) {
  system.clock = nullptr;
  return system;
}

}  // namespace

PressureVelocity::PressureVelocity(FlowSystem& flow, const Coupling& coupling, const Config& config)
    : flow_(flow),
      coupling_(coupling),
      threads_(threads_of(config)),
      residual_(flow.field()),
      scalar_(flow.backend) {
  if (flow.domain.heat)
    throw std::invalid_argument("simple and piso do not support heat; use --solver projection");
  const FluidCell cell = flow.domain.cell;
  const double share = coupling.velocity_relaxation;
  const double order_factor = coupling.second_order ? 1.5 : 1;  // TimeLevels
  const double inverse_step = coupling.time_step > 0 ? order_factor / coupling.time_step : 0;
  const auto &m = flow.momentum_arrays, &c = flow.pressure_arrays;
  const AnyView faces = flow.faces.view(), pressure_faces = flow.pressure_faces(), aP = flow.diagonal(),
                u = flow.u.view(), v = flow.v.view(), p = flow.p.view(), px = flow.px.view(),
                py = flow.py.view(), mass_x = flow.mass_x.view(), mass_y = flow.mass_y.view(),
                correction = flow.correction.view(), residual = residual_.view();

  gradient_ = sweep("gradient", PressureGradient{cell}, {.faces = pressure_faces, .p = p, .x = px, .y = py});
  const Momentum momentum{cell, coupling.convection, share, inverse_step, flow.domain.driving_force, 0};
  const bool has_distances = flow.domain.has_wall_distances;
  const Operations of_momentum(flow.u_system(), threads_);
  const auto equations = [&](const AnyView& flux_x, const AnyView& flux_y, const AnyView& of_u,
                             const AnyView& of_v) {
    const Momentum::Fields<AnyViews> fields{.mass_x = flux_x,
                                            .mass_y = flux_y,
                                            .faces = faces,
                                            .u = of_u,
                                            .v = of_v,
                                            .px = px,
                                            .py = py,
                                            .west = m[0].view(),
                                            .east = m[1].view(),
                                            .south = m[2].view(),
                                            .north = m[3].view(),
                                            .centre = m[4].view(),
                                            .bu = flow.bu.view(),
                                            .bv = flow.bv.view()};
    std::vector<Operation> all;
    if (has_distances)
      all.push_back(
          sweep("momentum", WallMomentum{momentum}, with_distances(fields, flow.wall_distances.view())));
    else
      all.push_back(sweep("momentum", momentum, fields));
    if (flow.domain.has_forces)
      for (const auto& [force, b] : {std::pair{&flow.force_x, &flow.bu}, {&flow.force_y, &flow.bv}})
        all.push_back(of_momentum.update({cell.volume()}, force->view(), {1}, b->view(), "forces"));
    return all;
  };
  momentum_equations_ = equations(mass_x, mass_y, u, v);
  if (coupling.second_order) {
    levels_ = std::make_unique<TimeLevels>(flow, cell.density * cell.volume() / coupling.time_step, threads_);
    present_equations_ = momentum_equations_;
    momentum_equations_ = equations(levels_->mass_x(), levels_->mass_y(), levels_->u(), levels_->v());
  }
  const auto sweeps = [&](const System& system, const char* routine, double omega, int count) {
    return red_black_sweeps(flow, system, coupling, threads_, routine, omega, count);
  };
  if (is_swept(coupling.momentum)) {
    relax_u_ = sweeps(flow.u_system(), momentum_routine, 1, coupling.momentum.most);
    relax_v_ = sweeps(flow.v_system(), momentum_routine, 1, coupling.momentum.most);
  } else if (coupling.momentum.solver == "sor") {
    momentum_solve_ = std::make_unique<MomentumSolve>(flow, coupling, threads_, momentum_routine, residual);
  } else {
    u_solve_ = inner_solve(without_clock(flow.u_system()), "momentum", coupling.momentum, 1);
    v_solve_ = inner_solve(without_clock(flow.v_system()), "momentum", coupling.momentum, 1);
  }
  const FaceFlux flux{cell, share, inverse_step, coupling.rhie_chow};
  fluxes_ = {sweep("face fluxes", FaceFluxX{flux},
                   {{.faces = faces,
                     .velocity = u,
                     .old_velocity = flow.old_u.view(),
                     .p = p,
                     .gradient = px,
                     .centre = aP,
                     .mass = mass_x}}),
             sweep("face fluxes", FaceFluxY{flux},
                   {{.faces = faces,
                     .velocity = v,
                     .old_velocity = flow.old_v.view(),
                     .p = p,
                     .gradient = py,
                     .centre = aP,
                     .mass = mass_y}})};
  if (flow.domain.outflow) prepare_outflow(*flow.domain.outflow);
  pressure_equation_ = sweep("pressure equation", PressureEquation{cell},
                             {.faces = pressure_faces,
                              .aP = aP,
                              .mass_x = mass_x,
                              .mass_y = mass_y,
                              .west = c[0].view(),
                              .east = c[1].view(),
                              .south = c[2].view(),
                              .north = c[3].view(),
                              .centre = c[4].view(),
                              .b = flow.continuity_residual.view()});
  if (is_swept(coupling.pressure)) {
    relax_pressure_ =
        sweeps(flow.pressure_system(), "solve p'", coupling.pressure_omega, coupling.pressure.most);
  } else {
    pressure_solve_ =
        inner_solve(flow.pressure_system(), "pressure", coupling.pressure, coupling.pressure_omega);
    if (flow.domain.anchor) hold_pressure(*flow.domain.anchor);
  }
  corrections_ = {
      sweep("correct", FluxCorrectionX{{cell}},
            {{.faces = pressure_faces, .aP = aP, .correction = correction, .mass = mass_x}}),
      sweep("correct", FluxCorrectionY{{cell}},
            {{.faces = pressure_faces, .aP = aP, .correction = correction, .mass = mass_y}}),
      sweep("correct", CellCorrection{cell, coupling.pressure_relaxation},
            {.faces = pressure_faces, .aP = aP, .correction = correction, .u = u, .v = v, .p = p})};

  const Operations op(flow.u_system(), config);
  residual_u_ = op.residual(u, flow.bu.view(), residual),
  residual_v_ = op.residual(v, flow.bv.view(), residual);
  // A_P without relaxation and time step, so that a tolerance does not depend on either.
  const double inertia = cell.density * cell.volume() * inverse_step;
  for (const auto& [velocity, weigh] : {std::pair{u, &weigh_u_}, {v, &weigh_v_}})
    *weigh = {sweep("weigh", Multiply{}, {.x = aP, .y = velocity, .product = residual}),
              op.update({-inertia}, velocity, {share}, residual, "weigh")};
  square_ = op.dot(residual, residual, scalar_);
  square_u_ = op.dot(u, u, scalar_), square_v_ = op.dot(v, v, scalar_);
  continuity_residual_ = op.dot(flow.continuity_residual.view(), flow.continuity_residual.view(), scalar_);
  if (flow.domain.force_scale > 0 && has_distances) {
    const WallForce force{{.cell = cell}};
    const AnyView distances = flow.wall_distances.view();
    forces_ = {
        sweep("drag and lift", WallForceX{force},
              {{.faces = pressure_faces, .p = p, .distances = distances, .velocity = u}}, scalar_.data()),
        sweep("drag and lift", WallForceY{force},
              {{.faces = pressure_faces, .p = p, .distances = distances, .velocity = v}}, scalar_.data())};
  } else if (flow.domain.force_scale > 0) {
    forces_ = {sweep("drag and lift", BodyForceX{{.cell = cell}},
                     {{.faces = pressure_faces, .p = p, .velocity = u}}, scalar_.data()),
               sweep("drag and lift", BodyForceY{{.cell = cell}},
                     {{.faces = pressure_faces, .p = p, .velocity = v}}, scalar_.data())};
  }

  pressure_ghosts_ = ghosts({p}), gradient_ghosts_ = ghosts({px, py}), diagonal_ghosts_ = ghosts({aP});
  u_ghosts_ = ghosts({u}), v_ghosts_ = ghosts({v}), velocity_ghosts_ = ghosts({u, v});
  correction_ghosts_ = ghosts({correction});
}

// Replaces the equation of one cell by p' = 0. Where only differences of p' matter, the right-hand sides sum
// to zero only up to rounding, and conjugate gradients would amplify the difference.
void PressureVelocity::hold_pressure(const std::array<int, 3>& cell) {
  const CellBox own = flow_.own();
  if (!own.has(cell[0], cell[1], 0)) return;  // another rank holds it
  const Operations op(flow_.pressure_system(), threads_);
  const auto one_of = [&](const Field& field) {
    return field.view().box(cell[0] - own.i, cell[1] - own.j, 0, 1, 1);
  };
  const auto clear = [&](const AnyView& one) { hold_.push_back(op.scale({0}, one, one, "hold p'")); };
  for (int neighbour = 0; neighbour < 4; ++neighbour) clear(one_of(flow_.pressure_arrays[neighbour]));
  // The cell's continuity residual is restored afterwards, because it counts as lost mass.
  const AnyView continuity_residual = one_of(flow_.continuity_residual);
  held_continuity_residual_ = Field(flow_.backend, continuity_residual.grid, flow_.precision);
  hold_.push_back(op.scale({1}, continuity_residual, held_continuity_residual_.view(), "hold p'"));
  clear(continuity_residual);
  release_ = {op.scale({1}, held_continuity_residual_.view(), continuity_residual, "hold p'")};
}

void PressureVelocity::prepare_outflow(const Outflow& outflow) {
  const Operations op(flow_.u_system(), threads_);
  one_ = DeviceScalar(flow_.backend), outflow_ = DeviceScalar(flow_.backend);
  one_.set(1);
  if (flow_.ranks()) return prepare_outflow_of_ranks(outflow, op);
  const AnyView mass = flow_.mass_x.view().box(outflow.i, outflow.j, 0, 1, outflow.faces);
  HostField ones(mass.grid, flow_.precision);
  for_each_cell(mass.grid, false, [&](int i, int j, int k) { ones.set(i, j, k, 1); });
  ones_ = Field(flow_.backend, mass.grid, flow_.precision);
  ones_.upload(ones);
  balance_outflow_ = {op.dot(mass, ones_.view(), outflow_),
                      op.scale({outflow.mass, one_.data(), outflow_.data()}, mass, mass, "outflow")};
}

// Ranks reduce fields of all cells: here the east faces, with a weight of 1 at the outflow and 0 elsewhere,
// whose zeros leave the bits of the sum over the outflow alone.
void PressureVelocity::prepare_outflow_of_ranks(const Outflow& outflow, const Operations& op) {
  if (outflow.i == 0) throw std::invalid_argument("an outflow at the west side does not run on ranks");
  const CellBox own = flow_.own();
  HostField weights(flow_.grid(), flow_.precision);
  for_each_cell(flow_.grid(), false, [&](int i, int j, int k) {
    const int row = own.j + j - outflow.j;
    weights.set(i, j, k, own.i + i + 1 == outflow.i && row >= 0 && row < outflow.faces ? 1 : 0);
  });
  ones_ = flow_.field();
  ones_.upload(weights);
  const AnyView mass = flow_.mass_x.view(), east = mass.box(1, 0, 0, own.nx, own.ny);
  balance_outflow_ = {op.dot(east, ones_.view(), outflow_)};
  const int first = std::max(outflow.j - own.j, 0), end = std::min(outflow.j + outflow.faces - own.j, own.ny);
  if (outflow.i < own.i || outflow.i > own.i + own.nx || first >= end) return;
  const AnyView faces = mass.box(outflow.i - own.i, first, 0, 1, end - first);
  balance_outflow_.push_back(op.scale({outflow.mass, one_.data(), outflow_.data()}, faces, faces, "outflow"));
}

void PressureVelocity::start() {
  flow_.backend.set_zero(flow_.continuity_residual.data(),
                         flow_.continuity_residual.bytes());  // no mass was lost yet
  for (const auto* solve : {&u_solve_, &v_solve_, &pressure_solve_})
    if (*solve) (*solve)->reset();
  if (momentum_solve_) momentum_solve_->reset();
  refresh(velocity_ghosts_);
  const SavedFlow* const saved = flow_.take_saved();
  if (levels_) levels_->start();
  if (levels_ && saved) levels_->restore(*saved);
  make_momentum_equations();
  if (levels_ && !saved && !flow_.is_only_checked) find_earlier_level();
}

// A step from two equal levels estimates the rate of change, from which the level before the start follows.
void PressureVelocity::find_earlier_level() {
  iterate();
  levels_->rewind([this](const TimeLevels::Part& part) { run(part); });
  refresh(velocity_ghosts_);
  flow_.backend.set_zero(flow_.continuity_residual.data(), flow_.continuity_residual.bytes());
  make_momentum_equations();
}

void PressureVelocity::save_levels(SavedFlow& saved) const {
  if (levels_) levels_->save(saved);
}

int PressureVelocity::advance(int most, double) {
  for (int n = 0; n < most; ++n) {
    spent_ = {}, counts_calls_ = called_.empty();
    iterate();
    spent_on_one_ = spent_, counts_calls_ = false;
  }
  return most;
}

Cost PressureVelocity::cost(int iterations) const {
  const double steps = iterations + (levels_ ? 1 : 0);  // find_earlier_level()
  Cost all = steps * spent_on_one_.cost;
  for (const auto* solve : {&u_solve_, &v_solve_})
    if (*solve) all = all + (*solve)->cost(steps);
  if (momentum_solve_) all = all + momentum_solve_->cost();
  if (pressure_solve_) all = all + pressure_solve_->cost(steps * spent_on_one_.pressure_solves);
  return all;
}

void PressureVelocity::make_momentum_equations() {
  refresh(pressure_ghosts_);
  run(gradient_);
  refresh(gradient_ghosts_);
  if (levels_) run(levels_->extrapolate());
  run(momentum_equations_);
  if (levels_) run(levels_->correct_inertia());
  refresh(diagonal_ghosts_);
}

void PressureVelocity::keep_velocity() {
  if (levels_) return levels_->begin_step([this](const TimeLevels::Part& part) { run(part); });
  flow_.old_u.copy_from(flow_.u);
  flow_.old_v.copy_from(flow_.v);
}

void PressureVelocity::solve_momentum() {
  if (momentum_solve_) return (*momentum_solve_)();
  if (!u_solve_) {
    relax(relax_u_, u_ghosts_);
    relax(relax_v_, v_ghosts_);
    return;
  }
  const auto solve = [this] {
    (*u_solve_)(), (*v_solve_)();
    refresh(velocity_ghosts_);
  };
  if (flow_.clock && flow_.clock->is_on())
    flow_.clock->time(momentum_routine, flow_.backend, solve);
  else
    solve();
}

void PressureVelocity::make_fluxes() {
  run(fluxes_);
  balance_outflow();
}
void PressureVelocity::balance_outflow() { run(balance_outflow_); }
void PressureVelocity::make_pressure_equation() { run(pressure_equation_); }

void PressureVelocity::solve_pressure() {
  flow_.backend.set_zero(flow_.correction.data(), flow_.correction.bytes());
  if (!pressure_solve_) return relax(relax_pressure_, correction_ghosts_);
  run(hold_);
  (*pressure_solve_)();
  run(release_);
  refresh(correction_ghosts_);
  ++spent_.pressure_solves;
}

void PressureVelocity::correct() {
  run(corrections_);
  refresh(velocity_ghosts_);
}

// With two levels the next equations hold a rate of change. Those of the present flow take their place for
// the residual.
std::vector<NamedValue> PressureVelocity::residuals() {
  for (const Operation& operation : present_equations_) operation();
  const double wrong = square_after({residual_u_}) + square_after({residual_v_});
  const double size = square_after(weigh_u_) + square_after(weigh_v_);
  // A flow at rest everywhere is not solved, although its residual may underflow when squared: every flow is
  // driven.
  const double momentum = size == 0 ? 1 : std::sqrt(wrong / size);
  const auto lost = [&] {
    return std::sqrt(joined(continuity_residual_) * double(flow_.cells())) / flow_.domain.mass_scale;
  };
  const double before = lost();
  pressure_equation_();  // for the present fluxes
  const double after = lost();
  if (levels_) make_momentum_equations();
  return {{"momentum", momentum},
          {"mass", std::max(before - mass_rounding(), 0.0)},
          {"continuity_residual", after}};
}

double PressureVelocity::momentum_left() {
  const auto lacking = [&] { return square_after({residual_u_}) + square_after({residual_v_}); };
  const double before = lacking(), size = square_after(weigh_u_) + square_after(weigh_v_);
  solve_momentum();
  const double after = lacking();
  // At rounding level the equations count as solved.
  return after <= square_of(16 * roundoff(flow_.precision)) * size ? 0 : std::sqrt(after / before);
}

// Returns the continuity residual that rounding of two fluxes per direction explains. In 64 bits it is below
// any tolerance.
double PressureVelocity::mass_rounding() {
  if (flow_.precision == Precision::fp64) return 0;
  const FluidCell& c = flow_.domain.cell;
  const double squares = square_of(c.dy) * joined(square_u_) + square_of(c.dx) * joined(square_v_);
  const double of_fluxes = c.density * roundoff(flow_.precision) * std::sqrt(2 * squares);
  return of_fluxes * std::sqrt(double(flow_.cells())) / flow_.domain.mass_scale;
}

std::vector<NamedValue> PressureVelocity::results() {
  std::vector<NamedValue> all;
  if (!forces_.empty()) {
    const double scale = flow_.domain.force_scale;
    all = {{"drag_coefficient", joined(forces_[0]) / scale},
           {"lift_coefficient", joined(forces_[1]) / scale}};
  }
  if (momentum_solve_) all.push_back({"momentum_iterations", momentum_solve_->mean_sweeps()});
  if (u_solve_ && u_solve_->has_tolerance())
    all.push_back({"momentum_iterations", 0.5 * (u_solve_->mean_iterations() + v_solve_->mean_iterations())});
  if (pressure_solve_ && pressure_solve_->has_tolerance())
    all.push_back({"pressure_iterations", pressure_solve_->mean_iterations()});
  return all;
}

Cost PressureVelocity::check_cost() const {
  Cost cost = residual_u_.cost + residual_v_.cost + 4 * square_.cost + 2 * continuity_residual_.cost +
              pressure_equation_.cost;
  if (flow_.precision != Precision::fp64) cost = cost + square_u_.cost + square_v_.cost;
  for (const auto* part : {&weigh_u_, &weigh_v_, &forces_, &present_equations_})
    for (const Operation& operation : *part) cost = cost + operation.cost;
  if (levels_)  // make_momentum_equations()
    for (const auto* part :
         {&momentum_equations_, &levels_->extrapolate().operations, &levels_->correct_inertia().operations})
      for (const Operation& operation : *part) cost = cost + operation.cost;
  return cost;
}

Resources PressureVelocity::resources() const {
  Resources all;
  for (const auto& [operation, calls] : called_) {
    Step step;
    step.resources = operation->step.resources;
    // A kernel that a step launches several times, such as a red-black pass, is listed once.
    const int launches = step.resources.launches, kernels = int(step.resources.kernels.size());
    for (KernelResources& kernel : step.resources.kernels)
      kernel.routine = operation->routine, kernel.calls = calls * (launches / kernels);
    add_resources(all, step);
  }
  all.launches = spent_on_one_.launches;
  const auto add_solve = [&](const InnerSolve& solve, int times) {
    Resources of_solve = solve.resources();
    of_solve.launches *= times;
    add_resources(all, of_solve);
  };
  if (u_solve_) add_solve(*u_solve_, 1), add_solve(*v_solve_, 1);
  if (momentum_solve_) add_resources(all, momentum_solve_->resources());
  if (pressure_solve_) add_solve(*pressure_solve_, spent_on_one_.pressure_solves);
  return all;
}

void PressureVelocity::count_call(const Operation& operation) {
  for (auto& [known, calls] : called_)
    if (known == &operation) {
      ++calls;
      return;
    }
  called_.push_back({&operation, 1});
}

PeriodicGhosts PressureVelocity::ghosts(std::vector<AnyView> fields) const {
  return {flow_.u_system(), flow_.domain, std::move(fields), threads_};
}

void PressureVelocity::run(const Operation& operation) {
  operation();
  if (counts_calls_) count_call(operation);
  spent_.cost = spent_.cost + operation.cost;
  spent_.launches += operation.step.resources.launches;
}
void PressureVelocity::run(const std::vector<Operation>& operations) {
  for (const Operation& operation : operations) run(operation);
}
void PressureVelocity::run(const TimeLevels::Part& part) {
  run(part.operations);
  refresh(part.ghosts);
}
void PressureVelocity::refresh(const PeriodicGhosts& ghosts) {
  ghosts();
  spent_.cost = spent_.cost + ghosts.cost();
  spent_.launches += ghosts.launches();
}

// Returns true for passes made here: several of them share one pass over memory, or ghosts follow each
// colour.
bool PressureVelocity::is_swept(const InnerSettings& inner) const {
  return inner.solver == "sor" && inner.tolerance == 0;
}

std::unique_ptr<InnerSolve> PressureVelocity::inner_solve(const System& system, const char* of,
                                                          const InnerSettings& inner, double omega) const {
  if (flow_.domain.is_periodic() && inner.solver == "sor")
    throw std::invalid_argument(fmt::format(
        "{0}_solver=sor supports no {0}_tolerance with periodic sides: leave it out, or use another solver",
        of));
  if (of == std::string_view("pressure") && inner.solver == "jacobi")
    throw std::invalid_argument(
        "pressure_solver=jacobi: a pass only flips the sign of a checkerboard in p'; use sor");
  Config config = threads_;
  if (inner.solver == "sor") config.set("omega", omega);
  if (inner.solver == "multigrid" && flow_.multigrid_levels > 0) config.set("levels", flow_.multigrid_levels);
  System with_sides = system;
  with_sides.sides.periodic = {flow_.domain.periodic_x, flow_.domain.periodic_y, flow_.domain.periodic_z};
  return std::make_unique<InnerSolve>(with_sides, inner, config);
}

void PressureVelocity::relax(const Sweeps& sweeps, const PeriodicGhosts& ghosts) {
  sweeps([this](const Operation& operation) { run(operation); }, [&] { refresh(ghosts); });
}

double PressureVelocity::square_after(const std::vector<Operation>& operations) {
  for (const Operation& operation : operations) operation();
  return joined(square_);
}
double PressureVelocity::joined(const Operation& operation) {
  operation();
  return scalar_.get();
}

}  // namespace cfdmark
