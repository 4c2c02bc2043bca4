// The operators of a fractional step as linear solvers see them: matrix-free, on flat fields of faces, cells
// and nodes. Symmetric. S. Menon's thesis (2008), equations 7.11 and 7.17.
#pragma once

#include "solvers/linear/system/linear_operator.hpp"
#include "solvers/mesh/step_fields.hpp"

namespace cfdmark {

// An operator without a matrix. It uses scratch memory, so one operation at a time may run.
class StepOperator : public LinearOperator {
 public:
  explicit StepOperator(std::shared_ptr<const StepFields> fields) : fields_(std::move(fields)) {}

  // r = b - A x as A x and a difference.
  Operation residual(const Operations&, const AnyView& x, const AnyView& b, const AnyView& r) const override;
  // These throw std::logic_error: there is no diagonal in memory, and no copy in another precision.
  Operation diagonal(const Operations&, const AnyView& d) const override;
  std::shared_ptr<const LinearOperator> like(Backend&, Precision) const override;
  std::vector<Operation> copy_to(const Operations&, const LinearOperator&) const override;

 protected:
  std::shared_ptr<const StepFields> fields_;
};

// Momentum, on faces: A = M + Interp^T (nu K) Interp with M = L / (A_f dt) and the Laplacian K of cells. Rows
// of faces of the boundary are 0: with b = 0 there CG leaves their fluxes as they are, and others see them.
class MomentumOperator final : public StepOperator {
 public:
  using StepOperator::StepOperator;
  Operation apply(const Operations&, const AnyView& x, const AnyView& y) const override;
};

// Pressure, on cells: -D (dt A_f / L) G. Constants are its null space.
class PressureOperator final : public StepOperator {
 public:
  using StepOperator::StepOperator;
  Operation apply(const Operations&, const AnyView& x, const AnyView& y) const override;
};

// Stream function, on nodes: C^T A C with the operator A of momentum. Rows of nodes of the boundary are 0, as
// for faces.
class StreamOperator final : public StepOperator {
 public:
  explicit StreamOperator(std::shared_ptr<const StepFields>);
  Operation apply(const Operations&, const AnyView& x, const AnyView& y) const override;

 private:
  MomentumOperator momentum_;
  Field flux_, image_;  // on faces: C x and A C x
};

}  // namespace cfdmark
