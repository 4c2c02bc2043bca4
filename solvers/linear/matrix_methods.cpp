#include "solvers/linear/matrix_methods.hpp"

#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/libraries/ginkgo.hpp"
#include "solvers/linear/libraries/hypre.hpp"

namespace cfdmark {

std::vector<SolverMethod> matrix_cg_methods(BackendKind kind) {
  std::vector<SolverMethod> all;
  for (const auto& some : {textbook_cg(kind), persistent_matrix_cg(kind), cusparse_cg(kind)})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::vector<SolverMethod> matrix_bicgstab_methods(BackendKind kind) {
  std::vector<SolverMethod> methods = bicgstab_solver().methods(kind);
  std::erase_if(methods, [](const SolverMethod& m) { return m.name != "textbook"; });
  return methods;
}

std::vector<SolverMethod> matrix_hypre_methods(BackendKind kind) {
  std::vector<SolverMethod> methods = hypre_solver().methods(kind);
  for (SolverMethod& m : methods)
    if (!m.prepare) m.name = "boomeramg_cg";  // a build without hypre, which has a reason for one method
  std::erase_if(methods, [](const SolverMethod& m) { return !m.name.starts_with("boomeramg"); });
  for (const SolverMethod& m : hypre_cg(kind)) methods.push_back(m);
  return methods;
}

std::vector<SolverMethod> matrix_ginkgo_methods(BackendKind kind) {
  std::vector<SolverMethod> methods = ginkgo_solver().methods(kind);
  std::erase_if(methods, [](const SolverMethod& m) { return m.needs == OperatorForm::stencil; });
  return methods;
}

}  // namespace cfdmark
