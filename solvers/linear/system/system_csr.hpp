// The stencil of a system as a CSR matrix on the host, from host or device arrays.
#pragma once

#include "kernels/cells/operator_problem.hpp"
#include "solvers/linear/system/csr.hpp"
#include "solvers/linear/system/system.hpp"

namespace cfdmark {

template <class T>
CsrMatrix<T> matrix_of(const System& system) {
  if (system.backend->host_accessible()) return assemble_csr<T>(system.grid(), system.stencil());
  std::vector<HostField> arrays;
  std::vector<AnyView> views;
  for (const AnyView& view : arrays_of(system.stencil(), system.grid()))
    arrays.push_back(download(system, view));
  for (const HostField& a : arrays) views.push_back(a.view());
  return assemble_csr<T>(system.grid(),
                         views.empty() ? system.stencil() : operator_over(views, 0, system.grid()));
}

inline double matrix_bytes(const SystemShape& shape) {
  return csr_bytes(shape.grid, stored_bytes(shape.precision));
}
// Returns why there can be no matrix; empty if there can.
inline std::string too_large_for_csr(const SystemShape& shape) {
  return csr_fits(shape.grid) ? "" : "the matrix has more entries than 32-bit integers can count";
}

}  // namespace cfdmark
