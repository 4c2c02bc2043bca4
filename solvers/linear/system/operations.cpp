#include "solvers/linear/system/operations.hpp"

#include <stdexcept>

namespace cfdmark {

std::vector<Operation> Operations::exchange(const AnyView& u) const {
  if (system_.ranks) return system_.ranks->exchange(*this, u);
  return ghost_copies(system_, system_.sides.periodic, u, config_);
}

Operation Operations::around(const AnyView& u, Operation of) const {
  const std::vector<Operation> before = exchange(u);
  for (auto one = before.rbegin(); one != before.rend(); ++one) {
    of.step = in_turn(one->step, std::move(of.step));
    of.cost = of.cost + one->cost;
  }
  return of;
}

Operation Operations::over_ranks(Operation of, const std::function<RowParts()>& rows, double* result,
                                 bool is_sum) const {
  if (std::optional<Step> joined = system_.ranks->reduce_rows(*this, rows, result)) {
    of.step = std::move(*joined);
    return of;
  }
  if (!is_sum) throw std::logic_error("these ranks reduce sums only");
  for (const Operation& one : system_.ranks->sum(*this, result)) of = in_turn(std::move(of), one);
  return of;
}

Operation LinearOperator::apply_and_dot(const Operations& op, const AnyView& x, const AnyView& y,
                                        const DeviceScalar& result) const {
  return in_turn(apply(op, x, y), op.dot(x, y, result));
}

Operation LinearOperator::residual_square(const Operations& op, const AnyView& x, const AnyView& b,
                                          const DeviceScalar& result) const {
  const Field r(op.backend(), x.grid, op.precision());
  return keeping(r, in_turn(residual(op, x, b, r.view()), op.dot(r.view(), r.view(), result)));
}

}  // namespace cfdmark
