#include "solvers/linear/system/stencil_operator.hpp"

#include "kernels/cells/operator_problem.hpp"
#include "kernels/device/backends/counting.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {
namespace {

// Returns the diagonal of a constant stencil, which differs in the last cells of a coarse grid.
HostField diagonal_of_constant(const Operator& a, const Grid& g) {
  HostField diagonal(g, Precision::fp64);
  with_level_operator(Precision::fp64, a, g, [&]<class S, class C, int dims>(const auto& typed) {
    for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
      diagonal.set(i, j, k, double(typed.template at<dims>(i, j, k).diagonal()));
    });
  });
  return diagonal;
}

}  // namespace

std::vector<AnyView> arrays_of(const Operator& a, const Grid& g) {
  if (a.constant) return {};
  if (!g.is_3d()) return {a.west_a, a.east_a, a.south_a, a.north_a, a.centre_a};
  return {a.west_a, a.east_a, a.south_a, a.north_a, a.bottom_a, a.top_a, a.centre_a};
}

StencilOperator::StencilOperator(Backend& backend, Precision precision, const Grid& grid,
                                 const Operator& like)
    : stencil_(like) {
  if (like.constant) return;
  std::vector<AnyView> views;
  for (int n = 0; n < like.arrays(grid); ++n) {
    arrays_.emplace_back(backend, grid, precision);
    views.push_back(arrays_.back().view());
  }
  stencil_ = operator_over(views, 0, grid);
  stencil_.wx = like.wx, stencil_.wy = like.wy, stencil_.wz = like.wz, stencil_.centre = like.centre;
}

Operation StencilOperator::apply(const Operations& op, const AnyView& x, const AnyView& y) const {
  return op.sweep<Apply>("apply", {.precision = op.precision(), .fields = {.a = stencil_, .u = x, .out = y}});
}
Operation StencilOperator::residual(const Operations& op, const AnyView& x, const AnyView& b,
                                    const AnyView& r) const {
  return op.sweep<Residual>(
      "residual", {.precision = op.precision(), .fields = {.a = stencil_, .u = x, .b = b, .out = r}});
}
Operation StencilOperator::residual_square(const Operations& op, const AnyView& x, const AnyView& b,
                                           const DeviceScalar& result) const {
  return op.sweep<ResidualSquare>(
      "residual",
      {.precision = op.precision(), .fields = {.a = stencil_, .u = x, .b = b}, .result = result.data()});
}

Operation StencilOperator::diagonal(const Operations& op, const AnyView& d) const {
  if (!stencil_.constant) return op.scale({1}, stencil_.centre_a, d, "diagonal");
  Field values(op.backend(), d.grid, d.storage);
  if (!only_counts(op.backend())) values.upload(converted(diagonal_of_constant(stencil_, d.grid), d.storage));
  return keeping(values, op.scale({1}, values.view(), d, "diagonal"));
}

std::shared_ptr<const LinearOperator> StencilOperator::like(Backend& backend, Precision precision) const {
  return std::make_shared<StencilOperator>(backend, precision, stencil_.centre_a.grid, stencil_);
}

std::vector<Operation> StencilOperator::copy_to(const Operations& op, const LinearOperator& to) const {
  const Grid& grid = stencil_.centre_a.grid;
  const std::vector<AnyView> ours = arrays_of(stencil_, grid), others = arrays_of(*to.as_stencil(), grid);
  std::vector<Operation> copies;
  for (std::size_t n = 0; n < ours.size(); ++n)
    copies.push_back(op.scale({1}, ours[n], others[n], "to 32 bits"));
  return copies;
}

}  // namespace cfdmark
