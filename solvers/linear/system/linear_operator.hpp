// The operator A of a linear system, as solvers see it: a stencil, a sparse matrix, later a mesh. It prepares
// operations on vectors of the system. Operations (operations.hpp) adds what surrounds them: the exchange of
// neighbours' values before, and the sum over ranks after.
#pragma once

#include <memory>
#include <vector>

#include "solvers/linear/system/operation.hpp"

namespace cfdmark {

class CsrOperator;
class Operations;

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  // Prepare an operation on the backend and in the precision of the given system. The memory of the operator
  // must outlive it; values may change between runs.
  virtual Operation apply(const Operations&, const AnyView& x, const AnyView& y) const = 0;  // y = A x
  virtual Operation residual(const Operations&, const AnyView& x, const AnyView& b,
                             const AnyView& r) const = 0;  // r = b - A x
  // result = sum of (b - A x)^2 over all ranks. By default the residual is stored in memory of its own.
  virtual Operation residual_square(const Operations&, const AnyView& x, const AnyView& b,
                                    const DeviceScalar& result) const;
  // y = A x and result = x . y, over all ranks; in one pass where an operator has one.
  virtual Operation apply_and_dot(const Operations&, const AnyView& x, const AnyView& y,
                                  const DeviceScalar& result) const;
  virtual Operation diagonal(const Operations&, const AnyView& d) const = 0;  // d = diagonal of A

  // Returns an operator of the same form with values of another precision, which copy_to() sets.
  virtual std::shared_ptr<const LinearOperator> like(Backend&, Precision) const = 0;
  // Returns copies of the values to an operator of the same form in another precision. `op` belongs to the
  // system of this operator. Empty if the other operator needs none.
  virtual std::vector<Operation> copy_to(const Operations& op, const LinearOperator& to) const = 0;

  // Returns the stencil, for methods whose kernels read its coefficients. Null if the operator has none.
  virtual const Operator* as_stencil() const { return nullptr; }
  // Returns the matrix, for libraries. Null if the operator is not stored in rows.
  virtual const CsrOperator* as_matrix() const { return nullptr; }
};

}  // namespace cfdmark
