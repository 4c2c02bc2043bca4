// The five- or seven-point stencil as a linear operator.
#pragma once

#include "solvers/linear/system/linear_operator.hpp"

namespace cfdmark {

class StencilOperator final : public LinearOperator {
 public:
  // Constant coefficients, or views of arrays that others own.
  explicit StencilOperator(const Operator& stencil) : stencil_(stencil) {}
  // A stencil with the form of `like`: a constant one is copied; arrays are new and zero. Constant weights of
  // `like` are kept next to the arrays, so that the strongest coupling is known before there are values.
  StencilOperator(Backend&, Precision, const Grid&, const Operator& like);

  Operation apply(const Operations&, const AnyView& x, const AnyView& y) const override;
  Operation residual(const Operations&, const AnyView& x, const AnyView& b, const AnyView& r) const override;
  Operation residual_square(const Operations&, const AnyView& x, const AnyView& b,
                            const DeviceScalar& result) const override;
  Operation diagonal(const Operations&, const AnyView& d) const override;
  std::shared_ptr<const LinearOperator> like(Backend&, Precision) const override;
  std::vector<Operation> copy_to(const Operations&, const LinearOperator&) const override;
  const Operator* as_stencil() const override { return &stencil_; }

  // The arrays in the order of arrays_of(). Empty if the stencil is constant or others own them.
  const std::vector<Field>& arrays() const { return arrays_; }

 private:
  std::vector<Field> arrays_;
  Operator stencil_;
};

// Returns the arrays of a stencil: west, east, south, north, [bottom, top,] centre; empty for a constant
// one.
std::vector<AnyView> arrays_of(const Operator&, const Grid&);

}  // namespace cfdmark
