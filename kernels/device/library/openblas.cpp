#include "kernels/device/library/openblas.hpp"

#include "kernels/device/built.hpp"

namespace cfdmark {

std::string openblas_version() {
  const std::string told = openblas_get_config(), name = "OpenBLAS ";
  return told.starts_with(name) ? told.substr(name.size()) : told;
}

}  // namespace cfdmark
