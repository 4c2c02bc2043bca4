#include "solvers/linear/multigrid.hpp"

#include <cmath>

namespace cfdmark {
namespace {

// An iteration is a cycle.
class Multigrid final : public Iteration {
 public:
  Multigrid(const System& system, const SmoothingMethod& sweep, const Config& config)
      : cycle_(system, sweep, config, false), rr_(*system.backend) {
    const Operations op(system, config);
    residual_ = op.residual(system.u, system.b, cycle_.scratch());
    dot_ = op.dot(cycle_.scratch(), cycle_.scratch(), rr_);
  }

  void start() override { cycle_.start(); }
  int advance(int most, double) override {
    for (int n = 0; n < most; ++n) cycle_();
    return most;
  }
  std::vector<NamedValue> residuals() override {
    residual_();
    dot_();
    return linear_residual(std::sqrt(rr_.get()));
  }
  // One level: a grid that cannot be coarsened, or was not to be.
  std::vector<NamedValue> results() override { return {{"levels", double(cycle_.levels())}}; }
  Cost cost(int iterations) const override {
    return cycle_.start_cost() + double(iterations) * cycle_.cost();
  }
  Cost check_cost() const override { return residual_.cost + dot_.cost; }
  Resources resources() const override { return cycle_.resources(); }

 private:
  MultigridCycle cycle_;
  DeviceScalar rr_;
  Operation residual_, dot_;
};

// One for each of the smoothing sweep's.
std::vector<SolverMethod> multigrid_methods(BackendKind kind) {
  const auto args_of = [](const SystemShape& s) {
    return args_without_values<RedBlackSor>(storage_of(s.precision), s.grid, s.constant_operator);
  };
  std::vector<SolverMethod> methods;
  for (const SmoothingMethod& sweep : smoothing_methods(kind)) {
    SolverMethod method{sweep.name, sweep.space, [sweep](const System& system, const Config& config) {
                          return std::make_unique<Multigrid>(system, sweep, config);
                        }};
    if (sweep.unsupported)
      method.unsupported = [sweep, args_of](const SystemShape& s) { return sweep.unsupported(args_of(s)); };
    if (sweep.steps)
      std::erase_if(method.space.settings, [&](const Setting& s) { return s.name == sweep.steps; });
    if (sweep.preferred)
      method.preferred = [sweep, args_of](const SystemShape& s) { return sweep.preferred(args_of(s)); };
    else if (sweep.steps && smooths_best_by_several(kind))
      method.preferred = [](const SystemShape&) { return true; };
    add_cycle_settings(method.space);
    method.space.settings.push_back(cycle_interval);
    allow_graphs(kind, method);
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace

SolverDescription multigrid_solver() { return {"multigrid", multigrid_methods}; }

}  // namespace cfdmark
