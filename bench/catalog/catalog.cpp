// The rows of the catalog: kernels of kernel_list.hpp, those on meshes, and the solvers of all families.
#include "bench/case/row.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/cooperative_blocks.hpp"
#include "bench/catalog/copies_workload.hpp"
#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/kernel_row.hpp"
#include "bench/catalog/kernel_shape.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "bench/catalog/mesh_rows.hpp"
#include "bench/catalog/not_built.hpp"
#include "bench/catalog/rank_kernels.hpp"
#include "bench/catalog/ranked_kernel.hpp"
#include "bench/catalog/solver_rows.hpp"

namespace cfdmark {
namespace {

// Returns the workload setting of a kernel with an operator.
Setting operator_setting() {
  return choice_setting("operator", {"constant", "arrays"}, "constant",
                        "coefficients of the equations: equal in all cells, or arrays");
}

constexpr Grid small_2d{2, 2}, small_3d{2, 2, 2};

// Grids of the fields of a kernel's timed problem. They are extrapolated from two small problems, because
// field extents are linear in the grid's extents and real fields may fill the memory.
struct TimedFields {
  std::vector<Grid> all, written;
};
template <class Args>
TimedFields fields_of(const KernelDescription<Args>& kernel, ProblemShape shape) {
  const Grid g = shape.grid, small = g.is_3d() ? small_3d : small_2d;
  const auto start_of = [&](int side) {
    shape.precision = Precision::fp32, shape.grid = {side, side, g.is_3d() ? side : 1};
    return kernel.start(shape);
  };
  const HostProblem one = start_of(small.nx), twice = start_of(2 * small.nx);
  const auto extent = [&](int n, int of_one, int of_twice) {
    return of_one + (n - small.nx) * (of_twice - of_one) / small.nx;
  };
  TimedFields fields;
  for (std::size_t n = 0; n < one.fields.size(); ++n) {
    const Grid &s = one.fields[n].initial.grid(), &t = twice.fields[n].initial.grid();
    const Grid grid{extent(g.nx, s.nx, t.nx), extent(g.ny, s.ny, t.ny),
                    g.is_3d() ? extent(g.nz, s.nz, t.nz) : 1, g.dims, s.halo};
    fields.all.push_back(grid);
    if (one.fields[n].is_written) fields.written.push_back(grid);
  }
  return fields;
}

double bytes_of(const Grid& g, Precision p) { return double(Layout(g).elements) * double(stored_bytes(p)); }
double bytes_of(const std::vector<Grid>& grids, Precision p) {
  double bytes = 0;
  for (const Grid& g : grids) bytes += bytes_of(g, p);
  return bytes;
}

// Returns arguments without memory, to query methods about a case.
template <class Args>
Args without_values(const KernelDescription<Args>& kernel, const ProblemShape& s) {
  std::vector<AnyView> nothing;
  for (const Grid& field : fields_of(kernel, s).all)
    nothing.emplace_back(nullptr, field, storage_of(s.precision));
  return kernel.bind(s, nothing, nullptr);
}

// Returns why a method does not support a precision in this dimension with any operator; empty if it does.
template <class Args>
std::string unsupported(const KernelDescription<Args>& kernel, const Method<Args>& method, Precision p,
                        const Grid& small) {
  if (!method.unsupported) return "";
  const std::string reason = method.unsupported(without_values(kernel, {p, small}));
  if (!kernel.has_operator || reason.empty()) return reason;
  return method.unsupported(without_values(kernel, {p, small, OperatorKind::arrays})).empty() ? "" : reason;
}

template <class Args>
Row kernel_row(const KernelDescription<Args>& kernel, BackendKind backend_kind, Precision p,
               const Method<Args>& method) {
  Row row = row_of_method(kernel, backend_kind, p, method);
  if (kernel.has_operator) row.workload_settings = {operator_setting()};
  const std::string not_2d = unsupported(kernel, method, p, small_2d),
                    not_3d = unsupported(kernel, method, p, small_3d);
  row.in_2d = row.in_2d && not_2d.empty();
  row.in_3d = row.in_3d && not_3d.empty();
  row.several_steps = method.steps != nullptr;
  if (row.unavailable.empty() && !row.in_2d && !row.in_3d) row.unavailable = not_2d.empty() ? not_3d : not_2d;
  // By default a kernel makes one step per run: rows are compared across backends.
  if (method.preferred && !method.steps)
    row.preferred = [kernel, method, p](const Domain& domain, const Config& workload) {
      return method.preferred(without_values(kernel, shape_of(p, domain.box(), workload)));
    };
  if (method.unsupported)
    row.unsupported = [kernel, method, p](const Domain& domain, const Config& workload) {
      return method.unsupported(without_values(kernel, shape_of(p, domain.box(), workload)));
    };
  row.field_bytes = [kernel, p](const Domain& domain, const Config& workload) {
    return bytes_of(fields_of(kernel, shape_of(p, domain.box(), workload)).all, p);
  };
  row.host_bytes = [kernel, p](const Domain& domain, const Config& workload) {
    const TimedFields fields = fields_of(kernel, shape_of(p, domain.box(), workload));
    // and one field for checking
    return bytes_of(fields.all, p) + bytes_of(fields.written, p) + bytes_of(fields.all.front(), p);
  };
  if (row.device_code)
    row.prepare_code = [kernel, p, method](Backend& offline, const Domain& domain, const Config& config,
                                           const Config& workload) {
      method.prepare(offline, without_values(kernel, shape_of(p, domain.box(), workload)), config);
    };
  row.prepare = [kernel, p, method](Backend& on, const Domain& domain, const Config& config,
                                    const Config& workload) {
    ProblemShape shape = shape_of(p, domain.box(), workload);
    shape.steps = method.steps_of(config);
    if (on.kind() == BackendKind::cuda)  // checked before the fields, which may take seconds
      check_cooperative_launches(
          on, [&](Backend& offline) { method.prepare(offline, without_values(kernel, shape), config); });
    return std::make_unique<KernelWorkload<Args>>(kernel, method, on, shape, config,
                                                  fields_for(kernel, shape, on));
  };
  return row;
}

template <class Args>
void add(std::vector<Row>& rows, const KernelDescription<Args>& kernel) {
  // Of what is not built, one row states the reason.
  const Methods<Args> none = {{"plain", {}, nullptr}};
  for (BackendKind b : all_backends) {
    const Methods<Args> methods = kernel.methods(b);
    check_steps(kernel, methods);
    for (Precision p : all_precisions)
      for (const auto& method : is_not_built(methods, b, p) ? none : methods)
        rows.push_back(kernel_row(kernel, b, p, method));
  }
}

std::vector<Row> build_catalog() {
  std::vector<Row> rows;
  for_each_kernel([&](const auto& kernel) { add(rows, kernel); });
  for (Row& row : rows) row.on_ranks = kernel_on_ranks(row);
  add_rank_kernels(rows);
  add_mesh_rows(rows);
  add_solver_rows(rows);
  for (Row& row : rows)
    if (row.kind == RowKind::solver && row.on_ranks) row.on_ranks = with_copies(row);
  check_settings(rows);
  return rows;
}

}  // namespace

const std::vector<Row>& catalog() {
  static const std::vector<Row> rows = build_catalog();
  return rows;
}

}  // namespace cfdmark
