// A sparse matrix in compressed rows as a linear operator. Vectors are flat (flat_grid).
#pragma once

#include "kernels/csr_apply/csr_methods.hpp"
#include "solvers/linear/system/csr.hpp"
#include "solvers/linear/system/linear_operator.hpp"

namespace cfdmark {

// How a CsrOperator holds its matrix. Without a flag columns have 32 bits and values the system's precision.
struct CsrForm {
  bool near_columns = false;       // columns in 16 bits (kernels/csr_apply/near_columns.hpp)
  bool values_in_32_bits = false;  // under vectors of 64 bits
};

class CsrOperator final : public LinearOperator {
 public:
  // Copies a square matrix to the backend's memory, with values in the storage of a precision. Throws
  // std::invalid_argument if its rows are not in order, a column is outside it, or near columns have no codes
  // for it.
  CsrOperator(Backend&, Precision, const CsrMatrix<double>&, const CsrForm& = {});

  // Replaces the values by those of a matrix with the same pattern, without allocating on the backend. Throws
  // std::invalid_argument with the first row that differs. Methods of libraries then need
  // Solver::operator_changed(). For columns in 32 bits.
  void load(const CsrMatrix<double>&);
  // Returns a copy on the host, with the values as stored. For columns in 32 bits.
  CsrMatrix<double> download() const;

  int rows() const { return diagonal_.grid().nx; }
  int entries() const { return values_.grid().nx; }
  // Contiguous arrays in the backend's memory, as in CsrMatrix; values in the operator's storage.
  const int* row_begin() const { return static_cast<const int*>(row_begin_.data()); }
  const int* column() const { return static_cast<const int*>(column_.data()); }
  const void* values() const { return values_.view().origin; }
  // Returns the arguments of a product with vectors of a precision; b may be null (CsrArgs). Throws
  // std::invalid_argument unless the vectors are flat with a value per row.
  CsrArgs args(Precision, const AnyView& x, const AnyView& b, const AnyView& y) const;

  Operation apply(const Operations&, const AnyView& x, const AnyView& y) const override;
  Operation residual(const Operations&, const AnyView& x, const AnyView& b, const AnyView& r) const override;
  Operation apply_and_dot(const Operations&, const AnyView& x, const AnyView& y,
                          const DeviceScalar& result) const override;
  Operation diagonal(const Operations&, const AnyView& d) const override;
  std::shared_ptr<const LinearOperator> like(Backend&, Precision) const override;
  std::vector<Operation> copy_to(const Operations&, const LinearOperator&) const override;
  // Null in a form that libraries do not know.
  const CsrOperator* as_matrix() const override {
    return form_.near_columns || form_.values_in_32_bits ? nullptr : this;
  }

 private:
  CsrOperator() = default;
  void upload_values(const CsrMatrix<double>&);

  Backend* backend_ = nullptr;
  CsrForm form_;
  Buffer row_begin_, column_;      // of int
  Buffer code_, first_far_, far_;  // in place of column_: NearColumns
  Index far_columns_ = 0;
  Field values_, diagonal_;
};

}  // namespace cfdmark
