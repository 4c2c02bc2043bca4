#include "solvers/mesh/family.hpp"

#include <limits>
#include <utility>

#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/matrix_methods.hpp"
#include "solvers/linear/refinement.hpp"
#include "solvers/mesh/node_laplacian.hpp"
#include "solvers/mesh/node_poisson.hpp"
#include "solvers/mesh/node_problems.hpp"

namespace cfdmark {
namespace {

// A way to hold the matrix, or to do without it.
struct Form {
  std::string name;
  bool is_stored;
  MakeOperator make;
};

// The method of the kernel mesh_poisson becomes the name, but for `plain`, which gathers.
Form matrix_free(std::string name, const std::string& kernel_method) {
  return {std::move(name), false,
          [kernel_method](Backend& on, Precision storage, const MatrixProblem& problem) {
            return std::make_shared<const NodeLaplacian>(
                on, storage, dynamic_cast<const NodePoisson&>(problem), kernel_method);
          }};
}

std::vector<Form> forms(BackendKind kind) {
  std::vector<Form> all = {{"csr", true, stored_matrix}, matrix_free("gather", "plain")};
  if (kind == BackendKind::serial)
    all.push_back(matrix_free("cells", "in_order"));
  else
    all.push_back(matrix_free("cells", "atomic"));
  all.push_back(matrix_free("coloured", "coloured"));
  return all;
}

double entries(const MeshCounts& n, int dims) {
  return double(n.nodes) + 2 * double(dims == 3 ? n.edges : n.faces);
}

double field_bytes(const Form& form, const CaseShape& shape) {
  constexpr double vectors = 8;  // b, x, three to five of the method, and the diagonal
  const MeshCounts n = counts_of(shape.domain.mesh());
  const int dims = shape.domain.dims();
  const double value = double(stored_bytes(shape.precision)), of_vectors = vectors * value * double(n.nodes);
  if (form.is_stored)
    return of_vectors + (value + sizeof(int)) * entries(n, dims) + sizeof(int) * double(n.nodes);
  const double lists = 2 * sizeof(int) * (dims + 1) * double(n.cells);
  return of_vectors + lists + (dims + 1) * value * double(n.nodes);
}

double host_bytes(const CaseShape& shape) {
  const MeshCounts n = counts_of(shape.domain.mesh());
  constexpr double matrices = 2;  // before and after the elimination of prescribed values
  return mesh_bytes(shape.domain.mesh()) +
         matrices * (sizeof(double) + sizeof(int)) * entries(n, shape.domain.dims()) +
         6 * sizeof(double) * double(n.nodes);
}

std::string unsupported(const Form& form, const CaseShape& shape) {
  if (shape.workload.has("along") && shape.workload.is("along", "z") && shape.domain.dims() == 2)
    return "a mesh of triangles has no axis z: use along=x or y";
  if (form.is_stored &&
      entries(counts_of(shape.domain.mesh()), shape.domain.dims()) > double(std::numeric_limits<int>::max()))
    return "the matrix has more entries than 32-bit integers can count";
  return not_built_reason(numbering_of(shape.workload));
}

SystemShape system_shape(const Form& form, const CaseShape& shape) {
  const MeshCounts n = counts_of(shape.domain.mesh());
  return {.grid = flat_grid(int(n.nodes)),
          .constant_operator = false,
          .precision = shape.precision,
          .form = form.is_stored ? OperatorForm::matrix : OperatorForm::operations,
          .matrix_entries = Index(entries(n, shape.domain.dims()))};
}

FamilyMethod family_method(const std::string& name, const Form& form, const SolverMethod& method) {
  FamilyMethod m{name, method.space, method.described_at};
  m.unsupported = [form, method](const CaseShape& shape) {
    const std::string reason = unsupported(form, shape);
    return reason.empty() ? method.why_unsupported(system_shape(form, shape)) : reason;
  };
  m.preferred = [form, method](const CaseShape& shape) {
    return method.is_preferred(system_shape(form, shape));
  };
  m.field_bytes = [form](const CaseShape& shape) { return field_bytes(form, shape); };
  m.host_bytes = host_bytes;
  m.prepare = [form, method](Backend& on, Precision p, const Config& config,
                             const std::shared_ptr<const Problem>& posed, const LevelConfigs&) {
    return std::make_unique<PreparedMatrixSolve>(method, form.make, on, p, config, as<NodePoisson>(posed));
  };
  return m;
}

// A solver with each form of the matrix. `of`: returns the solver's method, or none on a backend without it.
FamilySolver on_every_form(const char* name, std::vector<SolverMethod> (*of)(BackendKind)) {
  FamilySolver solver;
  solver.name = name;
  solver.methods = [of](BackendKind kind) {
    std::vector<FamilyMethod> methods;
    for (const SolverMethod& method : of(kind))
      for (const Form& form : forms(kind)) methods.push_back(family_method(form.name, form, method));
    return methods;
  };
  solver.absent = family_method("csr", forms(BackendKind::serial).front(), {"csr", {}, nullptr});
  return solver;
}

// Returns a solver with those of the methods that take a stored matrix. usual: the name of one of them.
FamilySolver with_stored_matrix(const char* name, const char* usual,
                                std::vector<SolverMethod> (*of)(BackendKind)) {
  FamilySolver solver;
  solver.name = name;
  solver.methods = [of](BackendKind kind) {
    std::vector<FamilyMethod> methods;
    for (const SolverMethod& method : of(kind))
      methods.push_back(family_method(method.name, forms(kind).front(), method));
    return methods;
  };
  solver.absent = family_method(usual, forms(BackendKind::serial).front(), {usual, {}, nullptr});
  return solver;
}

// Three passes on every form, and other methods on the stored matrix.
FamilySolver conjugate_gradients() {
  FamilySolver solver = on_every_form("mesh_cg", passes_cg);
  solver.methods = [on_forms = solver.methods](BackendKind kind) {
    std::vector<FamilyMethod> methods = on_forms(kind);
    const FamilySolver more = with_stored_matrix("mesh_cg", "textbook", matrix_cg_methods);
    for (const FamilyMethod& method : more.methods(kind)) methods.push_back(method);
    return methods;
  };
  return solver;
}

}  // namespace

Family mesh_family() {
  Family family;
  family.name = "mesh";
  family.runs_on = DomainKind::mesh;
  family.solvers = {conjugate_gradients(), on_every_form("mesh_pcg", diagonal_pcg),
                    with_stored_matrix("mesh_bicgstab", "textbook", matrix_bicgstab_methods),
                    with_stored_matrix("mesh_hypre", "boomeramg_cg", matrix_hypre_methods),
                    with_stored_matrix("mesh_ginkgo", "amg_cg", matrix_ginkgo_methods)};
  family.problems = node_problems();
  return family;
}

}  // namespace cfdmark
