// The operator of a system as a CSR matrix on the host, and its size.
#pragma once

#include "kernels/cells/operator_problem.hpp"
#include "solvers/linear/system/csr.hpp"
#include "solvers/linear/system/csr_operator.hpp"
#include "solvers/linear/system/system.hpp"

namespace cfdmark {

// Returns the matrix of a stencil or of a CsrOperator, in any memory. Columns of a row ascend and are unique.
template <class T>
CsrMatrix<T> matrix_of(const System& system) {
  if (const CsrOperator* const stored = system.a->as_matrix()) {
    CsrMatrix<double> a = with_sorted_rows(stored->download());
    return {std::move(a.row_begin), std::move(a.column), {a.value.begin(), a.value.end()}};
  }
  if (system.backend->host_accessible()) return assemble_csr<T>(system.grid(), system.stencil());
  std::vector<HostField> arrays;
  std::vector<AnyView> views;
  for (const AnyView& view : arrays_of(system.stencil(), system.grid()))
    arrays.push_back(download(system, view));
  for (const HostField& a : arrays) views.push_back(a.view());
  return assemble_csr<T>(system.grid(),
                         views.empty() ? system.stencil() : operator_over(views, 0, system.grid()));
}

inline Index matrix_entries(const SystemShape& shape) {
  return shape.form == OperatorForm::matrix ? shape.matrix_entries : csr_entries(shape.grid);
}
inline double matrix_bytes(const SystemShape& shape) {
  return csr_bytes(shape.grid.cells(), matrix_entries(shape), stored_bytes(shape.precision));
}
// Returns why there can be no matrix; empty if there can.
inline std::string too_large_for_csr(const SystemShape& shape) {
  return matrix_entries(shape) <= std::numeric_limits<int>::max()
             ? ""
             : "the matrix has more entries than 32-bit integers can count";
}

}  // namespace cfdmark
