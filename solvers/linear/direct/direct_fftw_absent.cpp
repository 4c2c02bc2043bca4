// Replaces direct_fftw.cpp in a build without FFTW.
#include "solvers/linear/direct/direct.hpp"

namespace cfdmark {

std::vector<DirectLibrary> fftw_library(BackendKind kind) {
  if (kind != BackendKind::serial && kind != BackendKind::openmp) return {};
  return {{"fftw", {}, nullptr, "built without FFTW"}};
}
std::string fftw_library_version() { return ""; }

}  // namespace cfdmark
