// A sparse matrix in compressed rows as a linear operator. Vectors are flat (flat_grid).
#pragma once

#include "kernels/csr_apply/csr_methods.hpp"
#include "solvers/linear/system/csr.hpp"
#include "solvers/linear/system/linear_operator.hpp"

namespace cfdmark {

class CsrOperator final : public LinearOperator {
 public:
  // Copies a square matrix to the backend's memory, with values in the storage of a precision. Throws
  // std::invalid_argument if its rows are not in order or a column is outside it.
  CsrOperator(Backend&, Precision, const CsrMatrix<double>&);

  int rows() const { return diagonal_.grid().nx; }

  Operation apply(const Operations&, const AnyView& x, const AnyView& y) const override;
  Operation residual(const Operations&, const AnyView& x, const AnyView& b, const AnyView& r) const override;
  Operation apply_and_dot(const Operations&, const AnyView& x, const AnyView& y,
                          const DeviceScalar& result) const override;
  Operation diagonal(const Operations&, const AnyView& d) const override;
  const CsrOperator* as_matrix() const override { return this; }
  // Returns the matrix as it is in the memory of its backend.
  CsrMatrix<double> host_copy(Backend&) const;
  std::shared_ptr<const LinearOperator> like(Backend&, Precision) const override;
  std::vector<Operation> copy_to(const Operations&, const LinearOperator&) const override;

 private:
  CsrOperator() = default;
  CsrArgs args(const Operations&, const AnyView& x, const AnyView& b, const AnyView& y) const;

  Buffer row_begin_, column_;  // of int
  Field values_, diagonal_;
};

}  // namespace cfdmark
