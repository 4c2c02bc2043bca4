#include "solvers/flow/flow_stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernels/pressure_correction/pressure_correction.hpp"
#include "kernels/surface_force/surface_force.hpp"
#include "solvers/flow/coupling.hpp"

namespace cfdmark {
namespace {

// Sums of a look.
enum LookSum : int {
  residual_u,
  residual_v,
  size_u,
  size_v,
  before,
  after,
  square_u,
  square_v,
  drag,
  lift,
  sums
};

double square_of(double value) { return value * value; }

// Returns true if a wall in the south or north moves: the solid rows between two tunnels are at rest.
bool has_moving_wall(const FlowProblem& like) {
  const Grid& g = like.grid;
  for (int i = 0; i < g.nx; ++i)
    if (like.start.u.get(i, -1) != 0 || like.start.u.get(i, g.ny) != 0) return true;
  return false;
}

const FlowProblem& checked(const FlowProblem& like, const Config& config) {
  if (like.grid.is_3d() || like.is_periodic() || like.heat || like.has_forces || like.anchor || like.outflow)
    throw std::invalid_argument(
        "a stack takes 2-D flows with an outlet that prescribes the pressure, without heat and forces");
  if (has_moving_wall(like))
    throw std::invalid_argument("a stack takes no flow with moving walls, such as tow; solve single flows");
  for (const char* of : {"momentum", "pressure"}) {
    const InnerSettings inner = inner_settings(config, of);
    if (inner.tolerance > 0)
      throw std::invalid_argument(fmt::format(
          "{0}_tolerance={1}: the solves of a stack have a fixed number of iterations; leave it out, and set "
          "{0}_sweeps",
          of, inner.tolerance));
    const bool is_pressure = of == std::string_view("pressure");
    if (inner.solver != "sor" && inner.solver != (is_pressure ? "multigrid" : "jacobi"))
      throw std::invalid_argument(fmt::format("{}_solver={}: it joins all tunnels of a stack; use sor or {}",
                                              of, inner.solver, is_pressure ? "multigrid" : "jacobi"));
  }
  return like;
}

// Returns the coarsenings of the pressure's multigrid: a given number, or the most that leave the solid rows
// below an eighth of a tunnel.
int coarsenings_of(const Config& config, const Grid& tunnel, int given) {
  if (!config.is("pressure_solver", "multigrid")) return 0;
  int most = 1;
  while (2 << (most + 1) <= tunnel.ny / 8) ++most;
  return given > 0 ? given : most;
}

FlowDomain domain_of_stack(const FlowProblem& like, const Config& config) { return checked(like, config); }

HostField filled(const Grid& g, Precision precision, double value) {
  HostField field(g, precision);
  for_each_cell(g, true, [&](int i, int j, int k) { field.set(i, j, k, value); });
  return field;
}

}  // namespace

double SlotLook::residual() const {
  double largest = 0;
  for (const double value : {momentum, mass, continuity_residual})
    if (value > largest || std::isnan(value)) largest = value;
  return largest;
}

bool SlotLook::is_finite() const {
  for (const double value : {momentum, mass, continuity_residual, drag, lift})
    if (!std::isfinite(value)) return false;
  return true;
}

FlowStack::FlowStack(Backend& on, Precision precision, const FlowMethod& method, const Config& config,
                     const FlowProblem& like, int slots, int coarsenings)
    : stack_{like.grid, slots, coarsenings_of(config, like.grid, coarsenings)},
      domain_(domain_of_stack(like, config)),
      flow_(on, precision, stack_.grid(), domain_),
      iteration_(prepared(method, config)),
      interval_(config.integer("check_interval")),
      recorded_iterations_(graph_iterations(config)),
      recorded_(on, [this] { iteration_->advance(recorded_iterations_, 0); }),
      scratch_(flow_.field()),
      distances_(domain_.has_wall_distances ? Field() : flow_.field()),
      sums_(flow_.u_system(), stack_, sums, threads_of(config)),
      recorded_look_(on, [this] {
        for (const Operation& operation : look_) operation();
      }) {
  flow_.faces.upload(filled(stack_.grid(), precision, CellFaces::solid().code));
  // Faces next to a ghost divide by its diagonal, although the result is not used.
  flow_.momentum_arrays.back().upload(filled(stack_.grid(), precision, 1));
  prepare_look(threads_of(config), config.real("velocity_relaxation"));
}

std::unique_ptr<Iteration> FlowStack::prepared(const FlowMethod& method, const Config& config) {
  flow_.multigrid_levels = stack_.coarsenings + 1;
  return method.prepare(flow_, config);
}

void FlowStack::prepare_look(const Config& threads, double share) {
  const Operations op(flow_.u_system(), threads);
  const FluidCell& cell = domain_.cell;
  const AnyView scratch = scratch_.view(), u = flow_.u.view(), v = flow_.v.view(), faces = flow_.faces.view(),
                lost = flow_.continuity_residual.view();
  const auto add = [&](Operation operation) { look_.push_back(std::move(operation)); };
  const auto add_all = [&](std::vector<Operation> some) {
    for (Operation& operation : some) add(std::move(operation));
  };
  const auto square = [&](int n, const AnyView& x) { add_all(sums_.of_product(n, x, x)); };
  for (const auto& [n, velocity, b] : {std::tuple{0, u, flow_.bu.view()}, {1, v, flow_.bv.view()}}) {
    add(op.residual(velocity, b, scratch));
    square(residual_u + n, scratch);
    // A_P without relaxation, as PressureVelocity weighs it.
    add(op.sweep<Multiply>("weigh", {.precision = flow_.precision,
                                     .fields = {.x = flow_.diagonal(), .y = velocity, .product = scratch}}));
    add(op.update({-0.0}, velocity, {share}, scratch, "weigh"));
    square(size_u + n, scratch);
    square(square_u + n, velocity);
  }
  square(before, lost);
  const auto& c = flow_.pressure_arrays;
  add(op.sweep<PressureEquation>("pressure equation", {.precision = flow_.precision,
                                                       .kernel = {cell},
                                                       .fields = {.faces = faces,
                                                                  .aP = flow_.diagonal(),
                                                                  .mass_x = flow_.mass_x.view(),
                                                                  .mass_y = flow_.mass_y.view(),
                                                                  .west = c[0].view(),
                                                                  .east = c[1].view(),
                                                                  .south = c[2].view(),
                                                                  .north = c[3].view(),
                                                                  .centre = c[4].view(),
                                                                  .b = lost}}));
  square(after, lost);
  const AnyView distances = (domain_.has_wall_distances ? flow_.wall_distances : distances_).view();
  for (const bool along_x : {true, false}) {
    add(op.sweep<SurfaceForce>("drag and lift", {.precision = flow_.precision,
                                                 .kernel = {.wall = {{.cell = cell}}, .along_x = along_x},
                                                 .fields = {.faces = faces,
                                                            .p = flow_.p.view(),
                                                            .distances = distances,
                                                            .velocity = along_x ? u : v,
                                                            .force = scratch}}));
    add_all(sums_.of(along_x ? drag : lift, scratch));
  }
  add_all(sums_.of_slots());
}

namespace {

// Rows of a stack's field that belong to a slot, next to the same rows of a field of that slot alone: from
// the ghost before the first row to the ghost after the last one.
struct SlotRows {
  SlotRows(const AnyView& own, const AnyView& all, int first_row) {
    if (own.pitch != all.pitch) throw std::logic_error("rows of a slot and of its stack differ");
    const Index size = Index(stored_bytes(own.storage));
    bytes = std::size_t(((own.grid.ny - 1) * own.pitch + own.grid.nx + 2) * size);
    of_slot = static_cast<char*>(own.origin) - size;
    of_stack = static_cast<char*>(all.origin) + (first_row * all.pitch - 1) * size;
  }
  char *of_slot, *of_stack;
  std::size_t bytes;
};

}  // namespace

void FlowStack::write(const Field& to, const HostField& from, int first_row) {
  const SlotRows rows(from.view(), to.view(), first_row);
  flow_.backend.upload(rows.of_stack, rows.of_slot, rows.bytes);
}

HostField FlowStack::read(const Field& from, FieldPlace place, int first_row) const {
  HostField own(stack_.tunnel.at(place), from.storage());
  const SlotRows rows(own.view(), from.view(), first_row);
  flow_.backend.download(rows.of_slot, rows.of_stack, rows.bytes);
  return own;
}

SlotFlow FlowStack::slot_flow(const FlowProblem& problem) const {
  const auto scales = [](const FlowDomain& of) {
    return std::tuple(of.cell.dx, of.cell.dy, of.cell.density, of.cell.viscosity, of.mass_scale,
                      of.force_scale, of.has_wall_distances);
  };
  if (problem.grid != stack_.tunnel || scales(problem) != scales(domain_))
    throw std::invalid_argument(
        "a flow of a stack has another grid, fluid or scale than the others: give all bodies one area");
  const auto here = [&](const HostField& field) { return converted(field, flow_.precision); };
  const FlowFields& start = problem.start;
  return {here(problem.faces), domain_.has_wall_distances ? here(problem.wall_distances) : HostField(),
          here(start.u),       here(start.v),
          here(start.p),       here(start.mass_x),
          here(start.mass_y)};
}

void FlowStack::load(int slot, const SlotFlow& flow) {
  const int row = stack_.first_row(slot);
  write(flow_.faces, flow.faces, row);
  if (domain_.has_wall_distances) write(flow_.wall_distances, flow.wall_distances, row);
  write(flow_.u, flow.u, row), write(flow_.v, flow.v, row), write(flow_.p, flow.p, row);
  write(flow_.mass_x, flow.mass_x, row), write(flow_.mass_y, flow.mass_y, row);
  must_start_ = true;
}

void FlowStack::clear(int slot) {
  const int first = std::max(stack_.first_row(slot) - stack_.divider(), 0),
            rows = stack_.first_row(slot + 1) - first;
  const Grid g{stack_.tunnel.nx, rows};
  const HostField solid = filled(g, flow_.precision, CellFaces::solid().code), rest(g, flow_.precision);
  write(flow_.faces, solid, first);
  for (const Field* field : {&flow_.u, &flow_.v, &flow_.p}) write(*field, rest, first);
  if (domain_.has_wall_distances) write(flow_.wall_distances, rest, first);
  write(flow_.mass_x, HostField(g.at(FieldPlace::face_x), flow_.precision), first);
  write(flow_.mass_y, HostField(g.at(FieldPlace::face_y), flow_.precision), first);
  must_start_ = true;
}

// The equations of slots that go on are made again from the same values.
void FlowStack::advance() {
  if (must_start_) iteration_->start();
  must_start_ = false;
  const int graphs = recorded_iterations_ > 1 ? interval_ / recorded_iterations_ : 0;
  for (int n = 0; n < graphs; ++n) recorded_();
  iteration_->advance(interval_ - graphs * recorded_iterations_, 0);
}

std::vector<SlotLook> FlowStack::look() {
  recorded_look_();
  sums_.download();
  const double cells = double(stack_.tunnel.cells()), mass_scale = domain_.mass_scale;
  const FluidCell& c = domain_.cell;
  std::vector<SlotLook> looks(stack_.slots);
  for (int slot = 0; slot < stack_.slots; ++slot) {
    const auto sum = [&](int n) { return sums_.get(n, slot); };
    const double wrong = sum(residual_u) + sum(residual_v), size = sum(size_u) + sum(size_v);
    const auto lost = [&](int n) { return std::sqrt(sum(n) * cells) / mass_scale; };
    double rounding = 0;
    if (flow_.precision != Precision::fp64) {
      const double squares = square_of(c.dy) * sum(square_u) + square_of(c.dx) * sum(square_v);
      rounding =
          c.density * roundoff(flow_.precision) * std::sqrt(2 * squares) * std::sqrt(cells) / mass_scale;
    }
    const double mass = lost(before) - rounding;
    looks[slot] = {size == 0 ? 1 : std::sqrt(wrong / size), mass < 0 ? 0 : mass, lost(after),
                   sum(drag) / domain_.force_scale, sum(lift) / domain_.force_scale};
  }
  return looks;
}

FlowFields FlowStack::download(int slot) const {
  const int row = stack_.first_row(slot);
  return {.u = read(flow_.u, FieldPlace::cell, row),
          .v = read(flow_.v, FieldPlace::cell, row),
          .p = read(flow_.p, FieldPlace::cell, row),
          .mass_x = read(flow_.mass_x, FieldPlace::face_x, row),
          .mass_y = read(flow_.mass_y, FieldPlace::face_y, row)};
}

}  // namespace cfdmark
