#include "kernels/backends/openblas.hpp"

#include "kernels/backends/built.hpp"

namespace cfdmark {

std::string openblas_version() {
  const std::string told = openblas_get_config(), name = "OpenBLAS ";
  return told.starts_with(name) ? told.substr(name.size()) : told;
}

}  // namespace cfdmark
