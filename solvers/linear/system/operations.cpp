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

Operation Operations::over_ranks(Operation of, const std::function<std::vector<RowReduction>()>& of_part,
                                 const std::vector<double*>& results, bool are_sums) const {
  if (std::optional<Step> joined = system_.ranks->reduce_rows(*this, of_part)) {
    of.step = std::move(*joined);
    return of;
  }
  if (!are_sums) throw std::logic_error("these ranks reduce sums only");
  for (double* const result : results)
    for (const Operation& one : system_.ranks->sum(*this, result)) of = in_turn(std::move(of), one);
  return of;
}

Operation Operations::dots(const std::vector<Product>& products) const {
  std::vector<CellArgs<Dot>> all;
  std::vector<double*> results;
  for (const Product& one : products) {
    all.push_back({system_.precision, {}, {one.x, one.y}, one.result});
    results.push_back(one.result);
  }
  const Methods<CellArgs<Dot>> methods = CellKernel<Dot>::methods(system_.backend->kind());
  const auto alone = [&](const CellArgs<Dot>& args) {
    return prepare(system_, "dot", default_method(methods, args), args, config_);
  };
  Operation made = alone(all.at(0));
  for (std::size_t n = 1; n < all.size(); ++n) made = in_turn(std::move(made), alone(all[n]));
  if (!system_.ranks) return made;
  const auto of_part = [&] {
    std::vector<RowReduction> reductions;
    for (const CellArgs<Dot>& args : all) reductions.push_back(reduction_of(args));
    return reductions;
  };
  return over_ranks(std::move(made), of_part, results, true);
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
