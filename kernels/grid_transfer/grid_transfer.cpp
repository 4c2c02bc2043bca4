#include "kernels/grid_transfer/grid_transfer.hpp"

#include "kernels/cells/operator_problem.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

GridTransferArgs timed_args(const ProblemShape& shape, TransferPass pass) {
  GridTransferArgs args;
  args.precision = shape.precision, args.pass = pass;
  args.fine_grid = shape.grid, args.by = full_coarsening(shape.grid);
  return args;
}

// Fields: fine, coarse, [coefficient arrays]. For operator_coarsening: coarse arrays, [coefficient arrays].
template <TransferPass pass>
GridTransferArgs bind(const ProblemShape& shape, const std::vector<AnyView>& f, double*) {
  GridTransferArgs args = timed_args(shape, pass);
  std::size_t own = 2;
  if (pass == TransferPass::operator_coarsening) {
    args.coarse_a = operator_over(f, 0, shape.grid);
    own = args.coarse_a.arrays(shape.grid);
  } else {
    args.fine = f[0], args.coarse = f[1];
  }
  args.a = timed_operator(shape, f, own);
  return args;
}

template <TransferPass pass>
HostProblem start(const ProblemShape& shape) {
  const Precision p = shape.precision;
  const Grid fine = shape.grid, coarse = coarse_grid(fine, full_coarsening(fine));
  const HostProblem::Entry coarse_out = {poisoned(HostField(coarse, p)), true};
  HostProblem problem;
  problem.check = "every bit against a loop over the cells";
  switch (pass) {
    case TransferPass::restriction: problem.fields = {{noise_field(fine, p, 1), {}}, coarse_out}; break;
    case TransferPass::prolongation:
      problem.fields = {{noise_field(fine, p, 1), true}, {noise_field(coarse, p, 2), {}}};
      break;
    case TransferPass::operator_coarsening: problem.fields.assign(fine.is_3d() ? 7 : 5, coarse_out);
  }
  if (shape.op == OperatorKind::arrays) append_operator_fields(problem, p, fine);
  return problem;
}

template <TransferPass pass>
Expected expected(const HostProblem& start, const ProblemShape& shape) {
  Expected left = unchanged(start);
  const GridTransferArgs args = bind<pass>(shape, views_for_steps(start, left.fields), nullptr);
  with_transfer(args, [&](const auto& body) {
    for_each_cell_in_parallel(args.written().grid, false, [&](int i, int j, int k) { body(i, j, k); });
  });
  return left;
}

template <TransferPass pass>
KernelDescription<GridTransferArgs> kernel(const char* name) {
  return {.name = name,
          .has_operator = true,
          .start = start<pass>,
          .expected = expected<pass>,
          .bind = bind<pass>,
          .cost = grid_transfer_cost,
          .methods = grid_transfer_methods};
}

}  // namespace

const AnyView& GridTransferArgs::written() const {
  switch (pass) {
    case TransferPass::restriction: return coarse;
    case TransferPass::prolongation: return fine;
    case TransferPass::operator_coarsening: break;
  }
  return coarse_a.centre_a;
}

Grid coarse_grid(const Grid& fine, const Coarsening& by) {
  const auto coarse = [&](int d, int n) { return by[d] ? n / 2 : n; };
  return {coarse(0, fine.nx), coarse(1, fine.ny), coarse(2, fine.nz), fine.dims, fine.halo};
}

Coarsening full_coarsening(const Grid& g) { return {g.nx > 1, g.ny > 1, g.nz > 1}; }

// Two conductors in series halve the conductance, parallel lines add theirs.
Operator coarse_constant(const Operator& a, const Grid& fine, const Coarsening& by) {
  const double lines = (by.x ? 2 : 1) * (by.y ? 2 : 1) * (by.z ? 2 : 1);
  const auto coarse = [&](double w, int coarsened) { return w * lines / (coarsened ? 4 : 1); };
  Operator c = a;
  c.wx = coarse(a.wx, by.x), c.wy = coarse(a.wy, by.y), c.wz = coarse(a.wz, by.z);
  const double reaction = a.centre - 2 * (a.wx + a.wy + a.wz);
  c.centre = 2 * (c.wx + c.wy + c.wz) + (std::abs(reaction) > 1e-14 * a.centre ? lines * reaction : 0);
  // With an odd number of points, the last fine point is not on the coarse grid.
  const int n[] = {fine.nx, fine.ny, fine.nz};
  for (int d = 0; d < 3; ++d)
    if (by[d]) c.to_boundary[d] = (a.to_boundary[d] + n[d] % 2) / 2;
  return c;
}

Cost grid_transfer_cost(const GridTransferArgs& args) {
  const Grid& g = args.fine_grid;
  const double cells = double(g.cells()), coarse = double(coarse_grid(g, args.by).cells());
  const int dims = g.is_3d() ? 3 : 2, arrays = 2 * dims + 1;
  const bool constant = args.a.constant;
  double values = 0, operations = 0;
  switch (args.pass) {
    case TransferPass::restriction:
      values = cells + coarse + (constant ? 0 : 2 * dims * cells);
      operations = (2 + (constant ? 0 : 2 * dims)) * cells;
      break;
    case TransferPass::prolongation:
      values = 2 * cells + coarse + (constant ? 0 : 2 * dims * cells);
      operations = (1 + (dims == 3 ? 14 : 6) + (constant ? 0 : 2 * dims)) * cells;
      break;
    case TransferPass::operator_coarsening:
      values = (constant ? 0 : arrays * cells) + arrays * coarse;
      operations = 10 * dims * cells;
  }
  return {values * double(stored_bytes(args.precision)), operations, cells};
}

Methods<GridTransferArgs> grid_transfer_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return grid_transfer_serial();
    case BackendKind::openmp: return grid_transfer_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return grid_transfer_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return grid_transfer_cuda();
      break;
  }
  return {};
}

KernelDescription<GridTransferArgs> restriction_kernel() {
  return kernel<TransferPass::restriction>("restriction");
}
KernelDescription<GridTransferArgs> prolongation_kernel() {
  return kernel<TransferPass::prolongation>("prolongation");
}
KernelDescription<GridTransferArgs> operator_coarsening_kernel() {
  return kernel<TransferPass::operator_coarsening>("operator_coarsening");
}

}  // namespace cfdmark
