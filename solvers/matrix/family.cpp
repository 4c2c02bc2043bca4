#include "solvers/matrix/family.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/matrix_methods.hpp"
#include "solvers/matrix/matrix_system.hpp"

namespace cfdmark {
namespace {

// Returns why a method that uses A's symmetry cannot solve the system; empty if it can.
std::string not_definite(const MatrixRef& a) {
  if (!a.is_symmetric) return "conjugate gradients need a symmetric matrix; use matrix_bicgstab";
  if (a.zero_diagonal_row > 0)
    return fmt::format(
        "the diagonal entry of row {} is 0 or missing, so the matrix is not definite; use matrix_bicgstab",
        a.zero_diagonal_row);
  if (a.diagonal_sign == 0)
    return "the diagonal changes sign, so the matrix is not definite; use matrix_bicgstab";
  return "";
}
// The same for a method that divides by the diagonal.
std::string zero_diagonal(const MatrixRef& a) {
  return a.zero_diagonal_row == 0
             ? ""
             : fmt::format("the diagonal entry of row {} is 0 or missing; use matrix_bicgstab",
                           a.zero_diagonal_row);
}
std::string any_matrix(const MatrixRef&) { return ""; }

using WhyNot = std::string (*)(const MatrixRef&);

double field_bytes(const CaseShape& shape) {
  constexpr double vectors = 9;  // b, x, up to six of the method, and the diagonal
  const MatrixRef& a = shape.domain.matrix();
  const double value = double(stored_bytes(shape.precision));
  return vectors * value * a.rows + csr_bytes(a.rows, a.entries, std::size_t(value));
}

double host_bytes(const CaseShape& shape) {
  const MatrixRef& a = shape.domain.matrix();
  constexpr double list_entry = 16;  // the list of entries that becomes the matrix
  return csr_bytes(a.rows, a.entries, sizeof(double)) + list_entry * double(a.entries) +
         6 * sizeof(double) * double(a.rows);
}

SystemShape system_shape(const CaseShape& shape) {
  const MatrixRef& a = shape.domain.matrix();
  return {.grid = flat_grid(a.rows),
          .constant_operator = false,
          .precision = shape.precision,
          .form = OperatorForm::matrix,
          .matrix_entries = a.entries};
}

FamilyMethod family_method(const SolverMethod& method, WhyNot why_not) {
  FamilyMethod m{method.name, method.space, method.described_at};
  m.unsupported = [=](const CaseShape& shape) {
    // First what a build lacks, which no other matrix changes.
    const std::string reason = method.why_unsupported(system_shape(shape));
    return reason.empty() ? why_not(shape.domain.matrix()) : reason;
  };
  m.preferred = [=](const CaseShape& shape) { return method.is_preferred(system_shape(shape)); };
  m.field_bytes = field_bytes;
  m.host_bytes = [=](const CaseShape& shape) {
    return host_bytes(shape) + (method.host_bytes ? method.host_bytes(system_shape(shape)) : 0);
  };
  m.prepare = [=](Backend& on, Precision p, const Config& config, const std::shared_ptr<const Problem>& posed,
                  const LevelConfigs&) {
    const auto system = as<MatrixSystem>(posed);
    if (const std::string reason = why_not(system->ref); !reason.empty()) throw std::invalid_argument(reason);
    return std::make_unique<PreparedMatrixSolve>(method, stored_matrix, on, p, config, system);
  };
  return m;
}

// usual: the name of a method, for backends and precisions without one.
FamilySolver solver(const char* name, const char* usual, std::vector<SolverMethod> (*of)(BackendKind),
                    WhyNot (*why_not)(const std::string& method)) {
  FamilySolver s;
  s.name = name;
  s.methods = [=](BackendKind kind) {
    std::vector<FamilyMethod> methods;
    for (const SolverMethod& method : of(kind))
      methods.push_back(family_method(method, why_not(method.name)));
    return methods;
  };
  s.absent = family_method({usual, {}, nullptr}, any_matrix);
  return s;
}

std::vector<SolverMethod> cg_methods(BackendKind kind) {
  std::vector<SolverMethod> all = passes_cg(kind);
  for (const SolverMethod& method : matrix_cg_methods(kind)) all.push_back(method);
  return all;
}

WhyNot if_definite(const std::string&) { return not_definite; }
WhyNot if_any(const std::string&) { return any_matrix; }
WhyNot of_hypre(const std::string& method) { return method == "boomeramg" ? zero_diagonal : not_definite; }

}  // namespace

Family matrix_family() {
  Family family;
  family.name = "matrix";
  family.runs_on = DomainKind::matrix;
  family.solvers = {solver("matrix_cg", "passes", cg_methods, if_definite),
                    solver("matrix_pcg", "diagonal", diagonal_pcg, if_definite),
                    solver("matrix_bicgstab", "textbook", matrix_bicgstab_methods, if_any),
                    solver("matrix_hypre", "boomeramg_cg", matrix_hypre_methods, of_hypre),
                    solver("matrix_ginkgo", "amg_cg", matrix_ginkgo_methods, if_definite)};
  family.problems = {
      {.name = "matrix_system",
       .help = "one's own A x = b: A from a file or generated, b from a file or A x of a random x",
       .make = [](const Domain& domain, const Config&) -> std::shared_ptr<const Problem> {
         return matrix_system(domain.matrix());
       },
       .usual_solver = "matrix_pcg",
       .usual_solver_3d = "matrix_pcg",
       .usual_grid = "poisson-100x100"}};
  return family;
}

SuitableSolver suitable_solver(const MatrixRef& a) {
  if (!a.is_symmetric) return {"matrix_bicgstab", "the matrix is not symmetric"};
  if (a.zero_diagonal_row > 0)
    return {"matrix_bicgstab",
            fmt::format("the diagonal entry of row {} is 0 or missing", a.zero_diagonal_row)};
  if (a.diagonal_sign == 0) return {"matrix_bicgstab", "the diagonal changes sign"};
  return {"matrix_pcg", fmt::format("the matrix is symmetric with a {} diagonal",
                                    a.diagonal_sign > 0 ? "positive" : "negative")};
}

}  // namespace cfdmark
