#include "solvers/flow/flow_system.hpp"

#include "kernels/backends/operator_problem.hpp"

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
                       RoutineClock* routine_clock, Arrangement arrangement)
    : backend(on), precision(how), domain(of), clock(routine_clock), grid_(grid), arrangement_(arrangement) {
  for (Field* at_cells : {&faces, &p, &surplus}) *at_cells = field(FieldPlace::cell);
  for (int n = 0; n < 5; ++n) pressure_arrays.push_back(field(FieldPlace::cell));
  if (arrangement == Arrangement::staggered) {
    u = face_velocity(), v = face_velocity();
    if (domain.heat) thermal_faces = field(), temperature = field();
    return;
  }
  for (Field* at_cells : {&u, &v, &old_u, &old_v, &px, &py, &correction, &bu, &bv})
    *at_cells = field(FieldPlace::cell);
  if (domain.outflow) faces_without_outlets_ = field(FieldPlace::cell);
  mass_x = field(FieldPlace::face_x), mass_y = field(FieldPlace::face_y);
  for (int n = 0; n < 5; ++n) momentum_arrays.push_back(field(FieldPlace::cell));
}

void FlowSystem::upload(const FlowProblem& problem, const FlowFields& from) {
  if (arrangement_ == Arrangement::staggered) return upload_staggered(problem, from);
  const HostField& what_is_behind = problem.faces;
  const std::pair<Field*, const HostField*> pairs[] = {
      {&faces, &what_is_behind}, {&u, &from.u},          {&v, &from.v}, {&p, &from.p},
      {&mass_x, &from.mass_x},   {&mass_y, &from.mass_y}};
  for (const auto& [to, field] : pairs) to->upload(converted(*field, precision));
  if (domain.outflow) faces_without_outlets_.upload(converted(without_outlets(what_is_behind), precision));
  // A face beside a ghost divides by its diagonal, though nothing comes of it.
  HostField ones(grid_, precision);
  for_each_cell(grid_, true, [&](int i, int j, int k) { ones.set(i, j, k, 1); });
  momentum_arrays.back().upload(ones);
}

FlowFields FlowSystem::download() const {
  if (arrangement_ == Arrangement::staggered) return download_staggered();
  return {u.download(), v.download(), p.download(), mass_x.download(), mass_y.download()};
}

// Velocities follow from the mass that goes through the faces. Beside a wall the ghosts get the wall's own,
// which the problem has at the middle of each cell.
void FlowSystem::upload_staggered(const FlowProblem& problem, const FlowFields& from) {
  boundary_ = from;
  const int nx = grid_.nx, ny = grid_.ny;
  const auto beside = [](const auto& at, int n, int last) {
    return n == 0 ? at(0) : n == last ? at(last - 1) : 0.5 * (at(n - 1) + at(n));
  };
  const double through_x = domain.cell.density * domain.cell.dy,
               through_y = domain.cell.density * domain.cell.dx;
  HostField on_x(u.grid(), precision), on_y(v.grid(), precision);
  for_each_cell(from.mass_x.grid(), false,
                [&](int i, int j, int) { on_x.set(i, j, 0, from.mass_x.get(i, j) / through_x); });
  for_each_cell(from.mass_y.grid(), false,
                [&](int i, int j, int) { on_y.set(i, j, 0, from.mass_y.get(i, j) / through_y); });
  for (const int j : {-1, ny})
    for (int i = 0; i <= nx; ++i) on_x.set(i, j, 0, beside([&](int n) { return from.u.get(n, j); }, i, nx));
  for (const int i : {-1, nx})
    for (int j = 0; j <= ny; ++j) on_y.set(i, j, 0, beside([&](int n) { return from.v.get(i, n); }, j, ny));
  u.upload(on_x), v.upload(on_y);
  p.upload(converted(from.p, precision));
  faces.upload(converted(problem.faces, precision));
  if (domain.heat) {
    thermal_faces.upload(converted(problem.thermal_faces, precision));
    temperature.upload(converted(from.temperature, precision));
  }
  upload_poisson(problem.faces);
}

void FlowSystem::upload_poisson(const HostField& what_is_behind) {
  const double across_x = domain.cell.dy / domain.cell.dx, across_y = domain.cell.dx / domain.cell.dy;
  std::vector<HostField> arrays(5, HostField(grid_, precision));
  for_each_cell(grid_, false, [&](int i, int j, int) {
    const CellFaces cell{int(what_is_behind.get(i, j))};
    const FaceKind kinds[] = {cell.west(), cell.east(), cell.south(), cell.north()};
    double sum = 0;
    for (int n = 0; n < 4; ++n) {
      const double c = kinds[n] != FaceKind::fluid ? 0 : n < 2 ? across_x : across_y;
      arrays[n].set(i, j, 0, c);
      sum += c;
    }
    arrays[4].set(i, j, 0, sum > 0 ? sum : 1);
  });
  for (int n = 0; n < 5; ++n) pressure_arrays[n].upload(arrays[n]);
}

FlowFields FlowSystem::download_staggered() const {
  FlowFields flow = boundary_;
  const HostField on_x = u.download(), on_y = v.download();
  const double through_x = domain.cell.density * domain.cell.dy,
               through_y = domain.cell.density * domain.cell.dx;
  for_each_cell(flow.mass_x.grid(), false,
                [&](int i, int j, int) { flow.mass_x.set(i, j, 0, on_x.get(i, j) * through_x); });
  for_each_cell(flow.mass_y.grid(), false,
                [&](int i, int j, int) { flow.mass_y.set(i, j, 0, on_y.get(i, j) * through_y); });
  for_each_cell(grid_, false, [&](int i, int j, int) {
    flow.u.set(i, j, 0, 0.5 * (on_x.get(i, j) + on_x.get(i + 1, j)));
    flow.v.set(i, j, 0, 0.5 * (on_y.get(i, j) + on_y.get(i, j + 1)));
  });
  flow.p = p.download();
  if (domain.heat) flow.temperature = temperature.download();
  flow.staggered = true;
  return flow;
}

Field FlowSystem::field(FieldPlace place) const { return Field(backend, grid_.at(place), precision); }

System FlowSystem::system(const std::vector<Field>& arrays, const Field& b, const Field& x) const {
  std::vector<AnyView> views;
  for (const Field& array : arrays) views.push_back(array.view());
  return {&backend, precision, operator_over(views, 0, grid_), b.view(), x.view(), clock};
}

System FlowSystem::poisson_system() const {
  System poisson = system(pressure_arrays, surplus, p);
  poisson.a.wx = domain.cell.dy / domain.cell.dx, poisson.a.wy = domain.cell.dx / domain.cell.dy;
  return poisson;
}

}  // namespace cfdmark
