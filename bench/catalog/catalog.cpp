// What there is: the kernels of kernel_list.hpp and the solvers of solver_table().
#include "bench/catalog/catalog.hpp"

#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "bench/catalog/row_settings.hpp"
#include "bench/catalog/solver_workload.hpp"

namespace cfdmark {
namespace {

// The host problem last asked for: cases of one kernel, precision and grid follow each other in a sweep.
template <class Args>
std::shared_ptr<const HostProblem> host_problem(const KernelDescription<Args>& kernel, Precision p,
                                                const Grid& g) {
  static std::string last_key;
  static std::shared_ptr<const HostProblem> last;
  const std::string key = kernel.name + std::string(to_string(p)) + grid_text(g);
  if (key != last_key) {
    last.reset();  // before the next one is made: two large ones might not fit
    last = std::make_shared<const HostProblem>(kernel.problem(p, g));
    last_key = key;
  }
  return last;
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
  const std::vector<AnyView> nothing(fields_of(kernel, is_3d).fields, AnyView{nullptr, g});
  return method.unsupported(kernel.bind(p, g, nothing, nullptr));
}

// Whether a method is preferred on a grid, of whose cells nothing is looked at.
template <class Args>
bool prefers(const KernelDescription<Args>& kernel, const Method<Args>& method, Precision p, const Grid& g) {
  const std::vector<AnyView> nothing(fields_of(kernel, g.is_3d()).fields, AnyView{nullptr, g});
  return method.preferred(kernel.bind(p, g, nothing, nullptr));
}

// "kernels/jacobi" from the place in a file of that folder.
std::string kernel_folder(SourcePlace where) {
  const std::string file = where.file;
  const auto begin = file.rfind("kernels/");
  return file.substr(begin, file.rfind('/') - begin);
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
  row.unavailable = unavailable_reason(backend_kind);
  if (row.unavailable.empty() && !row.in_2d && !row.in_3d) row.unavailable = not_2d.empty() ? not_3d : not_2d;
  if (method.preferred)
    row.preferred = [kernel, method, p](const Grid& g, const Config&) {
      return prefers(kernel, method, p, g);
    };
  row.field_bytes = [kernel, p](const Grid& g) {
    return bytes_of(g, p, fields_of(kernel, g.is_3d()).fields);
  };
  row.host_bytes = [kernel, p](const Grid& g) {
    const FieldCounts counts = fields_of(kernel, g.is_3d());
    return bytes_of(g, p, counts.fields + counts.expected + 1);  // 1: the field being checked
  };
  row.prepare = [kernel, backend_kind, p, method](const Grid& g, const Config& config, const Config&) {
    return std::make_unique<KernelWorkload<Args>>(kernel, method, backend(backend_kind), p, g, config,
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

Row solver_row(const SolverDescription& solver, BackendKind backend_kind, Precision p,
               const SolverMethod& method) {
  Row row;
  row.kind = RowKind::solver;
  row.name = solver.name;
  row.backend = backend_kind;
  row.precision = p;
  row.method = method.name;
  row.space = method.space;
  row.source = "solvers";
  row.solve_settings = solve_settings();
  for (ProblemKind kind : all_problems)
    row.problems.push_back({std::string(to_string(kind)), problem_settings(kind),
                            [kind](const Grid& g) { return unsuitable_reason(kind, g); }});
  row.unavailable = unavailable_reason(backend_kind);
  if (method.preferred)
    row.preferred = [wanted = method.preferred](const Grid& g, const Config& question) {
      return wanted(g, !has_coefficient_arrays(problem_from(question.word("problem"))));
    };
  row.field_bytes = [name = solver.name, method = method.name, p](const Grid& g) {
    return solver_field_bytes(name, method, p, g, true);
  };
  row.host_bytes = [method = method.name, p](const Grid& g) {
    // right side, initial guess twice, exact solution, solution
    return bytes_of(g, Precision::fp64, 5) + solver_matrix_bytes(method, p, g);
  };
  row.prepare = [solver, backend_kind, p, method](const Grid& g, const Config& config,
                                                  const Config& question) {
    return make_solver_workload(solver, method.name, backend_kind, p, g, config, question);
  };
  return row;
}

void add(std::vector<Row>& rows, const SolverDescription& solver) {
  for (BackendKind b : all_backends) {
    std::vector<SolverMethod> methods = solver.methods(b);
    if (methods.empty() && !unavailable_reason(b).empty()) methods = {{"plain", {}}};
    for (Precision p : all_precisions)
      for (const auto& method : methods) rows.push_back(solver_row(solver, b, p, method));
  }
}

std::vector<Row> build_catalog() {
  std::vector<Row> rows;
  for_each_kernel([&](const auto& kernel) { add(rows, kernel); });
  for (const SolverDescription& solver : solver_table()) add(rows, solver);
  check_settings(rows);
  return rows;
}

}  // namespace

std::string_view to_string(RowKind kind) { return kind == RowKind::kernel ? "kernel" : "solver"; }

std::string row_name(const Row& row) {
  return row.name + "/" + std::string(to_string(row.backend)) + "/" + std::string(to_string(row.precision)) +
         "/" + row.method;
}

const Row& default_row(const std::vector<const Row*>& rows, const Grid& grid, const Config& question) {
  const auto chosen = default_choice(
      rows, [&](const Row* row) { return grid.is_3d() ? row->in_3d : row->in_2d; },
      [&](const Row* row) { return row->preferred && row->preferred(grid, question); });
  return chosen != rows.end() ? **chosen : *rows.front();
}

const std::vector<Row>& catalog() {
  static const std::vector<Row> rows = build_catalog();
  return rows;
}

}  // namespace cfdmark
