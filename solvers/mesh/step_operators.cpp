#include "solvers/mesh/step_operators.hpp"

#include <stdexcept>

#include "kernels/mesh_curl/mesh_curl.hpp"
#include "kernels/mesh_diffusion/mesh_diffusion.hpp"
#include "kernels/mesh_interpolation/mesh_interpolation.hpp"
#include "kernels/mesh_step/mesh_step.hpp"

namespace cfdmark {

Operation StepOperator::residual(const Operations& op, const AnyView& x, const AnyView& b,
                                 const AnyView& r) const {
  Operation product = apply(op, x, r);
  product.routine = "residual";
  return in_turn(std::move(product), op.update({1}, b, {-1}, r));
}
Operation StepOperator::diagonal(const Operations&, const AnyView&) const {
  throw std::logic_error("operators of a fractional step have no diagonal in memory: use cg/textbook");
}
std::shared_ptr<const LinearOperator> StepOperator::like(Backend&, Precision) const {
  throw std::logic_error("operators of a fractional step have no copy in another precision");
}
std::vector<Operation> StepOperator::copy_to(const Operations&, const LinearOperator&) const {
  throw std::logic_error("operators of a fractional step have no copy in another precision");
}

Operation MomentumOperator::apply(const Operations& op, const AnyView& x, const AnyView& y) const {
  const StepFields& f = *fields_;
  const AnyView v = f.velocity.view(), k = f.force.view();
  const Operation interpolation = on_mesh<MeshInterpolation>(
      op, "apply", f,
      {.u = x, .x_f = f.face_centre.view(), .x_c = f.cell_centre.view(), .volume = f.volume.view(), .v = v});
  const Operation diffusion = on_mesh<MeshDiffusion>(op, "apply", f, {.v = v, .a = f.drag.view(), .k = k});
  const Operation integration = on_mesh<MeshMomentum>(op, "apply", f,
                                                      {.k = k,
                                                       .x_c = f.cell_centre.view(),
                                                       .volume = f.volume.view(),
                                                       .x_f = f.face_centre.view(),
                                                       .m = f.inertia.view(),
                                                       .u = x,
                                                       .w = y});
  return in_turn(in_turn(interpolation, diffusion), integration);
}

Operation PressureOperator::apply(const Operations& op, const AnyView& x, const AnyView& y) const {
  return on_mesh<MeshCellLaplacian>(op, "apply", *fields_, {.p = x, .a = fields_->push.view(), .y = y});
}

StreamOperator::StreamOperator(std::shared_ptr<const StepFields> fields)
    : StepOperator(fields),
      momentum_(fields),
      flux_(fields->field(Entity::face)),
      image_(fields->field(Entity::face)) {}

Operation StreamOperator::apply(const Operations& op, const AnyView& x, const AnyView& y) const {
  const AnyView flux = flux_.view(), image = image_.view();
  const Operation curl = on_mesh<MeshCurl>(op, "apply", *fields_, {.s = x, .u = flux});
  const Operation rotation =
      on_mesh<MeshInnerRotation>(op, "apply", *fields_, {.g = image, .inner = fields_->inner.view(), .r = y});
  return in_turn(in_turn(curl, momentum_.apply(op, flux, image)), rotation);
}

}  // namespace cfdmark
