// Stands in for openblas.cpp in a build without OpenBLAS.
#include "kernels/backends/built.hpp"

namespace cfdmark {

std::string openblas_version() { return ""; }

}  // namespace cfdmark
