// Replaces openblas.cpp in builds without OpenBLAS.
#include "kernels/device/built.hpp"

namespace cfdmark {

std::string openblas_version() { return ""; }

}  // namespace cfdmark
