#include "solvers/linear/system/null_space.hpp"

#include "kernels/device/backends/counting.hpp"

namespace cfdmark {
namespace {

// Returns the system with `ones` set if it is singular.
System with_ones(System system) {
  if (!system.sides.is_singular || system.ones) return system;
  const auto field = std::make_shared<Field>(system.new_field());
  system.ones = field;
  if (only_counts(*system.backend)) return system;
  HostField ones(system.grid(), system.precision);
  for_each_cell_in_parallel(system.grid(), false, [&](int i, int j, int k) { ones.set(i, j, k, 1); });
  field->upload(ones);
  return system;
}

// Runs another iteration on a copy of the right-hand side without its mean.
class WithoutConstant final : public Iteration {
 public:
  WithoutConstant(const System& system, const Config& config, const MakeIteration& make)
      : b_(system.new_field()), copy_b_(Operations(system, config).scale({1}, system.b, b_.view())) {
    System centred = with_ones(system);
    centre_b_ = {centred, config, b_.view()};
    centre_u_ = {centred, config, system.u};
    centred.b = b_.view();
    iteration_ = make(centred);
  }

  void start() override {
    copy_b_();
    centre_b_();
    iteration_->start();
  }
  int advance(int most, double reduction) override { return iteration_->advance(most, reduction); }
  void store() override { iteration_->store(); }
  void finish() override {
    iteration_->finish();
    centre_u_();
  }

  void operator_changed() override { iteration_->operator_changed(); }

  std::vector<NamedValue> residuals() override { return iteration_->residuals(); }
  int period() const override { return iteration_->period(); }
  double highest_residual() const override { return iteration_->highest_residual(); }
  int longest_interval() const override { return iteration_->longest_interval(); }
  const double* residual_square() const override { return iteration_->residual_square(); }
  void check_residual() override { iteration_->check_residual(); }
  bool residuals_are_shares() const override { return iteration_->residuals_are_shares(); }
  bool has_stalled() const override { return iteration_->has_stalled(); }
  int final_iteration() const override { return iteration_->final_iteration(); }
  std::vector<NamedValue> results() override { return iteration_->results(); }
  Cost cost(int iterations) const override {
    return iteration_->cost(iterations) + copy_b_.cost + centre_b_.cost() + centre_u_.cost();
  }
  Cost check_cost() const override { return iteration_->check_cost(); }
  Resources resources() const override { return iteration_->resources(); }

 private:
  Field b_;
  Operation copy_b_;
  MeanRemoval centre_b_, centre_u_;
  std::unique_ptr<Iteration> iteration_;
};

}  // namespace

MeanRemoval::MeanRemoval(const System& system, const Config& config, const AnyView& field) {
  if (!system.sides.is_singular) return;
  ones_ = *with_ones(system).ones;
  sum_ = DeviceScalar(*system.backend);
  const Operations op(system, config);
  operations_ = {op.dot(field, ones_.view(), sum_),
                 op.update({-1.0 / double(system.unknowns()), sum_.data()}, ones_.view(), {1}, field)};
}

Cost MeanRemoval::cost() const {
  Cost sum;
  for (const Operation& operation : operations_) sum = sum + operation.cost;
  return sum;
}

void MeanRemoval::add_to(Resources& resources) const {
  for (const Operation& operation : operations_) add_resources(resources, operation.step);
}

std::unique_ptr<Iteration> without_constant(const System& system, const Config& config,
                                            const MakeIteration& make) {
  if (!system.sides.is_singular) return make(system);
  return std::make_unique<WithoutConstant>(system, config, make);
}

std::unique_ptr<Iteration> prepare_iteration(const SolverMethod& method, const System& system,
                                             const Config& config) {
  return without_constant(system, config, [&](const System& on) { return method.prepare(on, config); });
}

}  // namespace cfdmark
