#include "solvers/flow/flow_system.hpp"

#include <stdexcept>
#include <utility>

#include "kernels/cells/operator_problem.hpp"
#include "solvers/flow/staggered_outlet.hpp"

namespace cfdmark {
namespace {

HostField without_outlets(HostField faces) {
  const auto given = [](FaceKind kind) { return kind == FaceKind::outlet ? FaceKind::fixed : kind; };
  for_each_cell(faces.grid(), true, [&](int i, int j, int k) {
    const CellFaces cell{int(faces.get(i, j, k))};
    const int sides = CellFaces::of(cell.west(), cell.east(), cell.south(), cell.north()).code;
    const CellFaces now =
        CellFaces::of(given(cell.west()), given(cell.east()), given(cell.south()), given(cell.north()));
    faces.set(i, j, k, cell.code - sides + now.code);
  });
  return faces;
}

}  // namespace

FlowSystem::FlowSystem(Backend& on, Precision how, const Grid& grid, const FlowDomain& of,
                       RoutineClock* routine_clock, Arrangement arrangement, const Communicator* on_ranks)
    : backend(on),
      precision(how),
      domain(of),
      clock(routine_clock),
      grid_(grid),
      arrangement_(arrangement),
      ranks_(on_ranks) {
  if (grid.is_3d() && arrangement == Arrangement::collocated)
    throw std::invalid_argument("simple and piso are 2-D only; use --solver projection in 3-D");
  for (Field* at_cells : {&faces, &p, &continuity_residual}) *at_cells = field(FieldPlace::cell);
  for (int n = 0; n < (grid.is_3d() ? 7 : 5); ++n) pressure_arrays.push_back(field(FieldPlace::cell));
  if (arrangement == Arrangement::staggered) {
    if (domain.has_forces)
      throw std::invalid_argument("projection does not support varying forces; use --solver simple or piso");
    if (domain.has_wall_distances)
      throw std::invalid_argument(
          "projection does not support surface=distances; use --solver simple or piso");
    for (Field* velocity : velocities()) *velocity = face_velocity();
    if (domain.heat) thermal_faces = field(), temperature = field();
    return;
  }
  for (Field* at_cells : {&u, &v, &old_u, &old_v, &px, &py, &correction, &bu, &bv})
    *at_cells = field(FieldPlace::cell);
  if (domain.has_forces) force_x = field(FieldPlace::cell), force_y = field(FieldPlace::cell);
  if (domain.has_wall_distances) wall_distances = field(FieldPlace::cell);
  if (domain.outflow) faces_without_outlets_ = field(FieldPlace::cell);
  mass_x = field(FieldPlace::face_x), mass_y = field(FieldPlace::face_y);
  for (int n = 0; n < 5; ++n) momentum_arrays.push_back(field(FieldPlace::cell));
}

void FlowSystem::upload(const FlowProblem& problem, const FlowFields& from) {
  is_restored_ = false;
  if (arrangement_ == Arrangement::staggered) return upload_staggered(problem, from);
  const HostField& what_is_behind = problem.faces;
  const std::pair<Field*, const HostField*> pairs[] = {
      {&faces, &what_is_behind}, {&u, &from.u},          {&v, &from.v}, {&p, &from.p},
      {&mass_x, &from.mass_x},   {&mass_y, &from.mass_y}};
  for (const auto& [to, field] : pairs) to->upload(converted(*field, precision));
  if (domain.outflow) faces_without_outlets_.upload(converted(without_outlets(what_is_behind), precision));
  if (domain.has_forces) {
    force_x.upload(converted(problem.force_x, precision));
    force_y.upload(converted(problem.force_y, precision));
  }
  if (domain.has_wall_distances) wall_distances.upload(converted(problem.wall_distances, precision));
  // Faces next to a ghost divide by its diagonal, although the result is not used.
  HostField ones(grid_, precision);
  for_each_cell(grid_, true, [&](int i, int j, int k) { ones.set(i, j, k, 1); });
  momentum_arrays.back().upload(ones);
}

std::vector<Field*> FlowSystem::answer_fields() {
  if (arrangement_ == Arrangement::collocated) return {&u, &v, &p, &mass_x, &mass_y};
  std::vector<Field*> fields = velocities();
  fields.push_back(&p);
  if (domain.heat) fields.push_back(&temperature);
  return fields;
}

std::vector<Field*> FlowSystem::uploaded_fields() {
  std::vector<Field*> fields = answer_fields();
  fields.push_back(&faces);
  if (arrangement_ == Arrangement::staggered) {
    if (domain.heat) fields.push_back(&thermal_faces);
    for (Field& array : pressure_arrays) fields.push_back(&array);
    return fields;
  }
  if (domain.has_forces) fields.insert(fields.end(), {&force_x, &force_y});
  if (domain.has_wall_distances) fields.push_back(&wall_distances);
  if (domain.outflow) fields.push_back(&faces_without_outlets_);
  fields.push_back(&momentum_arrays.back());
  return fields;
}

std::vector<std::pair<std::string, Field*>> FlowSystem::state() {
  std::vector<std::pair<std::string, Field*>> all = {{"u", &u}, {"v", &v}, {"p", &p}};
  if (grid_.is_3d()) all.emplace_back("w", &w);
  if (arrangement_ == Arrangement::collocated)
    all.emplace_back("mass_x", &mass_x), all.emplace_back("mass_y", &mass_y);
  if (domain.heat) all.emplace_back("T", &temperature);
  return all;
}

void FlowSystem::restore() {
  for (const auto& [name, field] : state()) saved->restore(name, *field);
  is_restored_ = true;
}

const SavedFlow* FlowSystem::take_saved() { return std::exchange(is_restored_, false) ? saved : nullptr; }

FlowFields FlowSystem::download() const {
  if (arrangement_ == Arrangement::staggered) return download_staggered();
  return {.u = u.download(),
          .v = v.download(),
          .p = p.download(),
          .mass_x = mass_x.download(),
          .mass_y = mass_y.download()};
}

void FlowSystem::upload_staggered(const FlowProblem& problem, const FlowFields& from) {
  StaggeredOutlet::check(problem);
  boundary_ = from;
  upload_velocity(0, from.mass_x, from.u), upload_velocity(1, from.mass_y, from.v);
  if (grid_.is_3d()) upload_velocity(2, from.mass_z, from.w);
  p.upload(converted(from.p, precision));
  faces.upload(converted(problem.faces, precision));
  if (domain.heat) {
    thermal_faces.upload(converted(problem.thermal_faces, precision));
    temperature.upload(converted(from.temperature, precision));
  }
  upload_poisson(problem.faces);
}

// Sets a velocity from the mass flows through its faces. Ghosts next to a wall get the wall's velocity, which
// the problem stores at cell centres.
void FlowSystem::upload_velocity(int axis, const HostField& mass, const HostField& at_centres) {
  const double through = domain.cell.density * domain.cell.area(axis);
  Field& velocity = *velocities()[axis];
  HostField on_faces(velocity.grid(), precision);
  const Grid& places = mass.grid();
  const int cells[] = {grid_.nx, grid_.ny, grid_.nz}, last = cells[axis];
  for_each_cell(places, true, [&](int i, int j, int k) {
    const int at[] = {i, j, k}, n = at[axis];
    int outside = 0;  // number of other axes along which it is a ghost
    for (int other = 0; other < 3; ++other)
      outside += other != axis && (at[other] < 0 || at[other] >= cells[other]);
    if (n < 0 || n > last || outside > 1) return;
    const auto centre = [&](int m) {
      return at_centres.get(axis == 0 ? m : i, axis == 1 ? m : j, axis == 2 ? m : k);
    };
    const auto beside = [&] {
      return n == 0 ? centre(0) : n == last ? centre(last - 1) : 0.5 * (centre(n - 1) + centre(n));
    };
    on_faces.set(i, j, k, outside == 0 ? mass.get(i, j, k) / through : beside());
  });
  velocity.upload(on_faces);
}

void FlowSystem::upload_poisson(const HostField& what_is_behind) {
  const int neighbours = grid_.is_3d() ? 6 : 4;
  std::vector<HostField> arrays(neighbours + 1, HostField(grid_, precision));
  for_each_cell(grid_, false, [&](int i, int j, int k) {
    const CellFaces cell{int(what_is_behind.get(i, j, k))};
    double sum = 0;
    for (int n = 0; n < neighbours; ++n) {
      const int axis = n / 2;
      const FaceKind kind = n % 2 == 0 ? cell.before(axis) : cell.behind(axis);
      const double c = domain.cell.area(axis) / domain.cell.side(axis);
      const bool has_pressure = kind == FaceKind::outlet && !domain.anchor;  // 0, half a cell away
      arrays[n].set(i, j, k, kind == FaceKind::fluid ? c : 0);
      sum += kind == FaceKind::fluid ? c : has_pressure ? 2 * c : 0;
    }
    arrays.back().set(i, j, k, sum > 0 ? sum : 1);
  });
  for (std::size_t n = 0; n < arrays.size(); ++n) pressure_arrays[n].upload(arrays[n]);
}

FlowFields FlowSystem::download_staggered() const {
  FlowFields flow = boundary_;
  const auto download = [&](int axis, const Field& velocity, HostField& mass, HostField& at_centres) {
    const double through = domain.cell.density * domain.cell.area(axis);
    const HostField on_faces = velocity.download();
    for_each_cell(mass.grid(), false,
                  [&](int i, int j, int k) { mass.set(i, j, k, on_faces.get(i, j, k) * through); });
    for_each_cell(grid_, false, [&](int i, int j, int k) {
      const double behind = on_faces.get(i + (axis == 0), j + (axis == 1), k + (axis == 2));
      at_centres.set(i, j, k, 0.5 * (on_faces.get(i, j, k) + behind));
    });
  };
  download(0, u, flow.mass_x, flow.u), download(1, v, flow.mass_y, flow.v);
  if (grid_.is_3d()) download(2, w, flow.mass_z, flow.w);
  flow.p = p.download();
  if (domain.heat) flow.temperature = temperature.download();
  flow.staggered = true;
  return flow;
}

Field FlowSystem::field(FieldPlace place) const { return Field(backend, grid_.at(place), precision); }

System FlowSystem::system(const std::vector<Field>& arrays, const Field& b, const Field& x) const {
  std::vector<AnyView> views;
  for (const Field& array : arrays) views.push_back(array.view());
  const auto stencil = std::make_shared<StencilOperator>(operator_over(views, 0, grid_));
  return {.backend = &backend,
          .precision = precision,
          .a = stencil,
          .b = b.view(),
          .u = x.view(),
          .clock = clock,
          .ranks = ranks_};
}

System FlowSystem::poisson_system() const {
  System poisson = system(pressure_arrays, continuity_residual, p);
  const FluidCell& cell = domain.cell;
  Operator stencil = poisson.stencil();
  stencil.wx = cell.area(0) / cell.dx, stencil.wy = cell.area(1) / cell.dy;
  if (grid_.is_3d()) stencil.wz = cell.area(2) / cell.dz;
  poisson.a = std::make_shared<StencilOperator>(stencil);
  return poisson;
}

}  // namespace cfdmark
