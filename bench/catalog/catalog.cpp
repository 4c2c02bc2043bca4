// What there is: the kernels of kernel_list.hpp and the solvers of solver_table().
#include "bench/catalog/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "bench/catalog/solver_workload.hpp"

namespace cfdmark {
namespace {

template <class Args>
std::shared_ptr<const HostProblem> host_problem(const KernelDescription<Args>& kernel, Precision p,
                                                const Grid& g) {
  return keep_problem(fmt::format("kernel {} {} {}", kernel.name, to_string(p), grid_text(g)),
                      [&] { return kernel.problem(p, g); });
}

// Fields of a problem that a kernel is timed on, counted on a small grid of the same dimension.
struct FieldCounts {
  std::size_t fields = 0, expected = 0;
};
template <class Args>
FieldCounts fields_of(const KernelDescription<Args>& kernel, bool is_3d) {
  FieldCounts counts;
  for (const auto& entry : kernel.problem(Precision::fp32, is_3d ? Grid{2, 2, 2} : Grid{2, 2, 1}).fields) {
    ++counts.fields;
    if (entry.expected) ++counts.expected;
  }
  return counts;
}

double bytes_of(const Grid& g, Precision p, std::size_t fields) {
  return double(g.elements()) * double(stored_bytes(p)) * double(fields);
}

// Why a method cannot do a precision in 2-D or 3-D at all; empty if it can. Its args then look at nothing.
template <class Args>
std::string unsupported(const KernelDescription<Args>& kernel, const Method<Args>& method, Precision p,
                        bool is_3d) {
  if (!method.unsupported) return "";
  const Grid g = is_3d ? Grid{2, 2, 2} : Grid{2, 2, 1};
  const std::vector<AnyView> nothing(fields_of(kernel, is_3d).fields, AnyView{nullptr, g, storage_of(p)});
  return method.unsupported(kernel.bind(p, g, nothing, nullptr));
}

// Whether a method is preferred on a grid, of whose cells nothing is looked at.
template <class Args>
bool prefers(const KernelDescription<Args>& kernel, const Method<Args>& method, Precision p, const Grid& g) {
  const std::vector<AnyView> nothing(fields_of(kernel, g.is_3d()).fields, AnyView{nullptr, g, storage_of(p)});
  return method.preferred(kernel.bind(p, g, nothing, nullptr));
}

// "kernels/jacobi" from the place in a file of that folder; "nine_point" for a kernel from outside.
std::string kernel_folder(SourcePlace where) {
  const std::filesystem::path folder = std::filesystem::path(where.file).parent_path();
  const std::string parent = folder.parent_path().filename().string(), name = folder.filename().string();
  return parent == "kernels" ? parent + "/" + name : name;
}

template <class Args>
Row kernel_row(const KernelDescription<Args>& kernel, BackendKind backend_kind, Precision p,
               const Method<Args>& method) {
  Row row;
  row.kind = RowKind::kernel;
  row.name = kernel.name;
  row.backend = backend_kind;
  row.precision = p;
  row.method = method.name;
  row.space = method.space;
  row.source = kernel_folder(kernel.described_at);
  const std::string not_2d = unsupported(kernel, method, p, false),
                    not_3d = unsupported(kernel, method, p, true);
  row.in_2d = kernel.in_2d && not_2d.empty();
  row.in_3d = kernel.in_3d && not_3d.empty();
  row.device_code = backend_kind == BackendKind::cuda && method.prepare && method.device_code;
  row.unavailable = unavailable_reason(backend_kind);
  if (row.unavailable.empty() && !row.in_2d && !row.in_3d) row.unavailable = not_2d.empty() ? not_3d : not_2d;
  if (method.preferred)
    row.preferred = [kernel, method, p](const Grid& g, const SolveRequest&) {
      return prefers(kernel, method, p, g);
    };
  row.field_bytes = [kernel, p](const Grid& g) {
    return bytes_of(g, p, fields_of(kernel, g.is_3d()).fields);
  };
  row.host_bytes = [kernel, p](const Grid& g) {
    const FieldCounts counts = fields_of(kernel, g.is_3d());
    return bytes_of(g, p, counts.fields + counts.expected + 1);  // 1: the field being checked
  };
  row.prepare = [kernel, p, method](Backend& on, const Grid& g, const Config& config, const SolveRequest&) {
    return std::make_unique<KernelWorkload<Args>>(kernel, method, on, p, g, config,
                                                  host_problem(kernel, p, g));
  };
  return row;
}

template <class Args>
void add(std::vector<Row>& rows, const KernelDescription<Args>& kernel) {
  for (BackendKind b : all_backends) {
    Methods<Args> methods = kernel.methods(b);
    // Where the backend was not built there is no table of methods: one row says why.
    if (methods.empty() && !unavailable_reason(b).empty()) methods = {{"plain", {}, nullptr}};
    for (Precision p : all_precisions)
      for (const auto& method : methods) rows.push_back(kernel_row(kernel, b, p, method));
  }
}

// What a case on this grid asks of a method. Without a request, the problem that takes the most memory.
SystemShape shape_of(const Grid& g, Precision p, bool arrays) { return {g, !arrays, p}; }
SystemShape shape_of(const Grid& g, Precision p, const SolveRequest& request) {
  return shape_of(g, p, find_problem(request.problem).coefficients != nullptr);
}

// Whether a method can do a dimension at all.
bool can(const SolverMethod& method, Precision p, const Grid& g) {
  return method.why_unsupported(shape_of(g, p, false)).empty() ||
         method.why_unsupported(shape_of(g, p, true)).empty();
}

// "solvers/linear/cg.cpp" from the place in that file; nothing for the row that says that a backend is not
// there.
std::string solver_file(SourcePlace where) {
  const std::string file = where.file;
  const auto begin = file.rfind("solvers/");
  return begin == std::string::npos ? "" : file.substr(begin);
}

Row solver_row(const SolverDescription& solver, BackendKind backend_kind, Precision p,
               const SolverMethod& method) {
  Row row;
  row.kind = RowKind::solver;
  row.name = solver.name;
  row.backend = backend_kind;
  row.precision = p;
  row.method = method.name;
  row.space = method.space;
  row.source = solver_file(method.described_at);
  row.unavailable = unavailable_reason(backend_kind);
  row.in_2d = can(method, p, {2, 2, 1}), row.in_3d = can(method, p, {2, 2, 2});
  row.unsupported = [solver, method, p](const Grid& g, const SolveRequest& request) {
    const ProblemDescription& problem = find_problem(request.problem);
    if (const std::string reason = unsuitable_reason(problem, g); !reason.empty()) return reason;
    if (const std::string reason = refusal(solver, problem); !reason.empty()) return reason;
    return method.why_unsupported(shape_of(g, p, request));
  };
  if (method.preferred)
    row.preferred = [method, p](const Grid& g, const SolveRequest& request) {
      return method.preferred(shape_of(g, p, request));
    };
  row.field_bytes = [method, backend_kind, p](const Grid& g) {
    const SystemShape shape = shape_of(g, p, true);
    if (!method.why_unsupported(shape).empty()) return 0.0;
    return double(solver_bytes(method, backend_kind, shape, method.space.defaults()));
  };
  row.host_bytes = [method, p](const Grid& g) {
    double problem = 0;
    for (const ProblemDescription& posed : problem_table())
      problem = std::max(problem, problem_bytes(posed, g));
    const double method_bytes = method.host_bytes ? method.host_bytes(shape_of(g, p, true)) : 0;
    // the initial guess as it is stored, and the solution
    return problem + bytes_of(g, Precision::fp64, 2) + method_bytes;
  };
  row.prepare = [solver, p, method](Backend& on, const Grid& g, const Config& config,
                                    const SolveRequest& request) {
    return make_solver_workload(solver, method, on, p, g, config, request);
  };
  return row;
}

void add(std::vector<Row>& rows, const SolverDescription& solver) {
  for (BackendKind b : all_backends) {
    std::vector<SolverMethod> methods = solver.methods(b);
    if (methods.empty() && !unavailable_reason(b).empty()) methods = {{"plain", {}, nullptr}};
    for (Precision p : all_precisions)
      for (const auto& method : methods) rows.push_back(solver_row(solver, b, p, method));
  }
}

std::vector<Row> build_catalog() {
  std::vector<Row> rows;
  for_each_kernel([&](const auto& kernel) { add(rows, kernel); });
  for (const SolverDescription& solver : solver_table()) add(rows, solver);
  return rows;
}

}  // namespace

std::string_view to_string(RowKind kind) { return kind == RowKind::kernel ? "kernel" : "solver"; }

std::string row_name(const Row& row, int device) {
  return row.name + "/" + to_string(DeviceId(row.backend, device)) + "/" +
         std::string(to_string(row.precision)) + "/" + row.method;
}

const Row& default_row(const std::vector<const Row*>& rows, const Grid& grid, const SolveRequest& request) {
  const auto chosen = default_choice(
      rows, [&](const Row* row) { return grid.is_3d() ? row->in_3d : row->in_2d; },
      [&](const Row* row) { return row->preferred && row->preferred(grid, request); });
  return chosen != rows.end() ? **chosen : *rows.front();
}

const std::vector<Row>& catalog() {
  static const std::vector<Row> rows = build_catalog();
  return rows;
}

}  // namespace cfdmark
