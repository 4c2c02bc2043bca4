#include "solvers/mesh/family.hpp"

#include <limits>
#include <stdexcept>
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
  CsrForm csr = {};                // of a stored matrix
  MakeOperator rounded = nullptr;  // the matrix of the corrections, if `make` makes that of a refinement

  // True if libraries can take the matrix.
  bool is_full() const { return is_stored && !csr.near_columns && !csr.values_in_32_bits; }
};

// Solves with values in 32 bits are corrections of one with those in 64.
Form compressed(std::string name, const CsrForm& csr) {
  if (!csr.values_in_32_bits) return {std::move(name), true, stored_matrix_in(csr), csr};
  return {std::move(name), true, stored_matrix, csr, stored_matrix_in(csr)};
}
std::vector<Form> compressed_forms() {
  return {compressed("csr16", {.near_columns = true}), compressed("csr_fp32", {.values_in_32_bits = true}),
          compressed("csr16_fp32", {.near_columns = true, .values_in_32_bits = true})};
}

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
  for (const Form& form : compressed_forms()) all.push_back(form);
  return all;
}

constexpr const char* only_fp64 =
    "the matrix has 32 bits under vectors in 64: use precision fp64, or another method such as csr16";

double entries(const MeshCounts& n, int dims) {
  return double(n.nodes) + 2 * double(dims == 3 ? n.edges : n.faces);
}

double field_bytes(const Form& form, const CaseShape& shape) {
  constexpr double vectors = 8;  // b, x, three to five of the method, and the diagonal
  const MeshCounts n = counts_of(shape.domain.mesh());
  const int dims = shape.domain.dims();
  const double value = double(stored_bytes(shape.precision)), of_vectors = vectors * value * double(n.nodes);
  // The list of far columns in a random numbering takes what 16-bit columns save.
  const auto of_matrix = [&](double of_value) {
    return (of_value + sizeof(int)) * entries(n, dims) + sizeof(int) * double(n.nodes);
  };
  if (form.rounded) return of_vectors + of_matrix(sizeof(double)) + of_matrix(sizeof(float));
  if (form.is_stored) return of_vectors + of_matrix(value);
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
  if (form.rounded && shape.precision != Precision::fp64) return only_fp64;
  return not_built_reason(numbering_of(shape.workload));
}

SystemShape system_shape(const Form& form, const CaseShape& shape) {
  const MeshCounts n = counts_of(shape.domain.mesh());
  return {.grid = flat_grid(int(n.nodes)),
          .constant_operator = false,
          .precision = shape.precision,
          .form = form.is_full() ? OperatorForm::matrix : OperatorForm::operations,
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
    if (form.rounded && p != Precision::fp64) throw std::invalid_argument(only_fp64);
    return std::make_unique<PreparedMatrixSolve>(method, form.make, on, p, config, as<NodePoisson>(posed),
                                                 form.rounded);
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

// The textbook's on the stored matrix and on its compressed forms.
FamilySolver bicgstab() {
  FamilySolver solver = with_stored_matrix("mesh_bicgstab", "textbook", matrix_bicgstab_methods);
  solver.methods = [on_matrix = solver.methods](BackendKind kind) {
    std::vector<FamilyMethod> methods = on_matrix(kind);
    for (const SolverMethod& method : matrix_bicgstab_methods(kind))
      for (const Form& form : compressed_forms()) methods.push_back(family_method(form.name, form, method));
    return methods;
  };
  return solver;
}

}  // namespace

Family mesh_family() {
  Family family;
  family.name = "mesh";
  family.runs_on = DomainKind::mesh;
  family.solvers = {conjugate_gradients(), on_every_form("mesh_pcg", diagonal_pcg), bicgstab(),
                    with_stored_matrix("mesh_hypre", "boomeramg_cg", matrix_hypre_methods),
                    with_stored_matrix("mesh_ginkgo", "amg_cg", matrix_ginkgo_methods)};
  family.problems = node_problems();
  return family;
}

}  // namespace cfdmark
