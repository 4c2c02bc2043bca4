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

  // Replaces the values by those of a matrix with the same pattern, without allocating on the backend. Throws
  // std::invalid_argument with the first row that differs. Methods of libraries then need
  // Solver::operator_changed().
  void load(const CsrMatrix<double>&);
  // Returns a copy on the host, with the values as stored.
  CsrMatrix<double> download() const;

  int rows() const { return diagonal_.grid().nx; }
  int entries() const { return values_.grid().nx; }
  // Contiguous arrays in the backend's memory, as in CsrMatrix; values in the operator's storage.
  const int* row_begin() const { return static_cast<const int*>(row_begin_.data()); }
  const int* column() const { return static_cast<const int*>(column_.data()); }
  const void* values() const { return values_.view().origin; }

  Operation apply(const Operations&, const AnyView& x, const AnyView& y) const override;
  Operation residual(const Operations&, const AnyView& x, const AnyView& b, const AnyView& r) const override;
  Operation apply_and_dot(const Operations&, const AnyView& x, const AnyView& y,
                          const DeviceScalar& result) const override;
  Operation diagonal(const Operations&, const AnyView& d) const override;
  std::shared_ptr<const LinearOperator> like(Backend&, Precision) const override;
  std::vector<Operation> copy_to(const Operations&, const LinearOperator&) const override;
  const CsrOperator* as_matrix() const override { return this; }

 private:
  CsrOperator() = default;
  void upload_values(const CsrMatrix<double>&);
  CsrArgs args(const Operations&, const AnyView& x, const AnyView& b, const AnyView& y) const;

  Backend* backend_ = nullptr;
  Buffer row_begin_, column_;  // of int
  Field values_, diagonal_;
};

}  // namespace cfdmark
