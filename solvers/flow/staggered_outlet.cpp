#include "solvers/flow/staggered_outlet.hpp"

#include <stdexcept>

namespace cfdmark {
namespace {

constexpr const char* routine = "outlet";

AnyView shifted(AnyView view, Index cells) {
  view.origin = static_cast<char*>(view.origin) + cells * Index(stored_bytes(view.storage));
  view.grid.parity = (view.grid.parity + 1) % 2;
  view.is_box = true;
  return view;
}

}  // namespace

AnyView shifted_east(AnyView view) { return shifted(view, 1); }
AnyView shifted_north(AnyView view) { return shifted(view, view.pitch); }

StaggeredOutlet::StaggeredOutlet(FlowSystem& flow, const Field& star, const OfStep& step,
                                 const Config& threads)
    : flow_(flow) {
  if (flow.ranks())
    throw std::invalid_argument(
        "projection with an outlet does not run on ranks: use --solver simple or piso, or remove --ranks");
  if (flow.grid().is_3d() || flow.domain.periodic_x || flow.domain.heat)
    throw std::invalid_argument(
        "projection supports outlets in the east of 2-D flows without heat only: use --solver simple or "
        "piso");
  const Grid& g = flow.grid();
  const FluidCell& cell = flow.domain.cell;
  const auto last = [&](const Field& field) { return field.view().box(g.nx - 1, 0, 0, 1, g.ny); };
  const Operations op(flow.poisson_system(), threads);
  const AnyView predicted = shifted_east(last(star)), corrected = shifted_east(last(flow.u));
  predict_ = {op.scale({1}, last(star), predicted, routine)};
  correct_ = {op.scale({1}, predicted, corrected, routine)};
  if (!flow.domain.outflow) {
    const double factor = 2 * step.value / (cell.density * cell.dx);
    correct_.push_back(op.update({factor, step.length}, last(flow.p), {1}, corrected, routine));
    return;
  }
  open_ = Field(flow.backend, predicted.grid, flow.precision);
  one_ = DeviceScalar(flow.backend), count_ = DeviceScalar(flow.backend),
  outflow_ = DeviceScalar(flow.backend);
  const double speeds =
      flow.domain.outflow->mass / (cell.density * cell.area(0));  // their sum over the faces
  const AnyView open = open_.view();
  predict_.push_back(op.dot(predicted, open, outflow_));
  predict_.push_back(op.update({speeds, one_.data(), count_.data()}, open, {1}, predicted, routine));
  predict_.push_back(op.update({-1, outflow_.data(), count_.data()}, open, {1}, predicted, routine));
}

void StaggeredOutlet::start() {
  if (!flow_.domain.outflow) return;
  const HostField faces = flow_.faces.download();
  HostField open(open_.grid(), flow_.precision);
  int count = 0;
  for (int j = 0; j < faces.grid().ny; ++j)
    if (CellFaces{int(faces.get(faces.grid().nx - 1, j))}.east() == FaceKind::outlet)
      open.set(0, j, 0, 1), ++count;
  open_.upload(open);
  one_.set(1), count_.set(count);
}

void StaggeredOutlet::check(const FlowProblem& problem) {
  const Grid& g = problem.grid;
  for_each_cell(g, false, [&](int i, int j, int k) {
    const CellFaces cell{int(problem.faces.get(i, j, k))};
    if (cell.is_solid()) return;
    for (int axis = 0; axis < g.dims; ++axis) {
      const bool is_east = axis == 0 && i == g.nx - 1;
      if (cell.before(axis) == FaceKind::outlet || (cell.behind(axis) == FaceKind::outlet && !is_east))
        throw std::invalid_argument(
            "projection supports outlets in the east only: use --solver simple or piso");
    }
  });
}

}  // namespace cfdmark
