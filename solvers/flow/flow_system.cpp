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
                       RoutineClock* routine_clock)
    : backend(on), precision(how), domain(of), clock(routine_clock), grid_(grid) {
  for (Field* at_cells : {&faces, &u, &v, &old_u, &old_v, &p, &px, &py, &correction, &bu, &bv, &surplus})
    *at_cells = field(FieldPlace::cell);
  if (domain.outflow) faces_without_outlets_ = field(FieldPlace::cell);
  mass_x = field(FieldPlace::face_x), mass_y = field(FieldPlace::face_y);
  for (auto* arrays : {&momentum_arrays, &pressure_arrays})
    for (int n = 0; n < 5; ++n) arrays->push_back(field(FieldPlace::cell));
}

void FlowSystem::upload(const HostField& what_is_behind, const FlowFields& from) {
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
  return {u.download(), v.download(), p.download(), mass_x.download(), mass_y.download()};
}

Field FlowSystem::field(FieldPlace place) const { return Field(backend, grid_.at(place), precision); }

System FlowSystem::system(const std::vector<Field>& arrays, const Field& b, const Field& x) const {
  std::vector<AnyView> views;
  for (const Field& array : arrays) views.push_back(array.view());
  return {&backend, precision, operator_over(views, 0, grid_), b.view(), x.view(), clock};
}

}  // namespace cfdmark
