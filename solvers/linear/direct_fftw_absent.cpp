// Stands in for direct_fftw.cpp in a build without FFTW.
#include "solvers/linear/direct.hpp"

namespace cfdmark {

std::vector<SolverMethod> fftw_direct(BackendKind kind) {
  if (kind != BackendKind::serial && kind != BackendKind::openmp) return {};
  return {missing_method("fftw", "built without FFTW, whose sine transforms it needs")};
}
std::string fftw_library_version() { return ""; }

}  // namespace cfdmark
