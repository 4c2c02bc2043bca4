#include "solvers/linear/multigrid/multigrid.hpp"

#include "solvers/linear/system/null_space.hpp"

namespace cfdmark {
namespace {

// One iteration is one cycle.
class Multigrid final : public Iteration {
 public:
  Multigrid(const System& system, const SmoothingMethod& sweep, const Config& config)
      : cycle_(system, sweep, config, false),
        residual_norm_(system, config),
        centre_u_(system, config, system.u) {}

  void start() override { cycle_.start(); }
  int advance(int most, double) override {
    for (int n = 0; n < most; ++n) cycle_();
    return most;
  }
  std::vector<NamedValue> residuals() override {
    check_residual();
    return linear_residual(residual_norm_.get());
  }
  const double* residual_square() const override { return residual_norm_.square(); }
  void check_residual() override {
    residual_norm_.make_square();
    centre_u_();
  }
  // levels = 1 means that the grid could not be coarsened or that the setting forbids it.
  std::vector<NamedValue> results() override {
    return {{"levels", double(cycle_.levels())}, {coarsest_unknowns, double(cycle_.coarsest().cells())}};
  }
  Cost cost(int iterations) const override {
    return cycle_.start_cost() + double(iterations) * cycle_.cost();
  }
  Cost check_cost() const override { return residual_norm_.cost() + centre_u_.cost(); }
  Resources resources() const override { return cycle_.resources(); }

 private:
  MultigridCycle cycle_;
  ResidualNorm residual_norm_;
  MeanRemoval centre_u_;  // keeps the constant part of u from growing
};

// Returns one solver method per smoothing method.
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
    method.does_periodic = method.does_ranks = !sweep.steps;
    if (method.does_ranks) run_cycles_on_ranks(method);
    add_cycle_settings(kind, method.space);
    method.space.settings.push_back(cycle_interval);
    allow_graphs(kind, method);
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace

SolverDescription multigrid_solver() {
  return {.name = "multigrid", .methods = multigrid_methods, .boundaries = all_boundaries};
}

}  // namespace cfdmark
