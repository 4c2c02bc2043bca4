// Replaces hypre.cpp in a build without hypre.
#include "solvers/linear/libraries/hypre.hpp"

namespace cfdmark {

std::vector<SolverMethod> hypre_methods(BackendKind kind) {
  if (kind != BackendKind::serial) return {};
  return {missing_method("pfmg_cg", "built without hypre")};
}
std::vector<SolverMethod> hypre_cg(BackendKind kind) {
  if (kind != BackendKind::serial) return {};
  return {missing_method("cg", "built without hypre")};
}
std::string hypre_version() { return ""; }

}  // namespace cfdmark
