#include "solvers/linear/open_constant.hpp"

#include "kernels/backends/counting.hpp"

namespace cfdmark {
namespace {

class WithoutConstant final : public Iteration {
 public:
  WithoutConstant(std::unique_ptr<Iteration> iteration, const System& system, const Config& config)
      : iteration_(std::move(iteration)), ones_(system.new_field()), sum_(*system.backend) {
    if (!only_counts(*system.backend)) {
      HostField ones(system.grid(), system.precision);
      for_each_cell_in_parallel(system.grid(), false, [&](int i, int j, int k) { ones.set(i, j, k, 1); });
      ones_.upload(ones);
    }
    const Operations op(system, config);
    const auto without_mean = [&](const AnyView& of) {
      return std::vector{
          op.dot(of, ones_.view(), sum_),
          op.update({-1.0 / double(system.grid().cells()), sum_.data()}, ones_.view(), {1}, of)};
    };
    of_b_ = without_mean(system.b), of_u_ = without_mean(system.u);
  }

  void start() override {
    for (const Operation& operation : of_b_) operation();
    iteration_->start();
  }
  int advance(int most, double reduction) override { return iteration_->advance(most, reduction); }
  void store() override {
    iteration_->store();
    for (const Operation& operation : of_u_) operation();
  }

  std::vector<NamedValue> residuals() override { return iteration_->residuals(); }
  int period() const override { return iteration_->period(); }
  const double* residual_square() const override { return iteration_->residual_square(); }
  void look() override { iteration_->look(); }
  bool residuals_are_shares() const override { return iteration_->residuals_are_shares(); }
  bool has_stalled() const override { return iteration_->has_stalled(); }
  int arrival() const override { return iteration_->arrival(); }
  std::vector<NamedValue> results() override { return iteration_->results(); }
  Cost cost(int iterations) const override {
    Cost cost = iteration_->cost(iterations);
    for (const auto* part : {&of_b_, &of_u_})
      for (const Operation& operation : *part) cost = cost + operation.cost;
    return cost;
  }
  Cost check_cost() const override { return iteration_->check_cost(); }
  Resources resources() const override { return iteration_->resources(); }

 private:
  std::unique_ptr<Iteration> iteration_;
  Field ones_;
  DeviceScalar sum_;
  std::vector<Operation> of_b_, of_u_;
};

}  // namespace

std::unique_ptr<Iteration> without_constant(std::unique_ptr<Iteration> iteration, const System& system,
                                            const Config& config) {
  if (!system.sides.leave_constant_open) return iteration;
  return std::make_unique<WithoutConstant>(std::move(iteration), system, config);
}

std::unique_ptr<Iteration> prepare_iteration(const SolverMethod& method, const System& system,
                                             const Config& config) {
  return without_constant(method.prepare(system, config), system, config);
}

}  // namespace cfdmark
