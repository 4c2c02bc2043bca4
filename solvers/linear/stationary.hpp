// Jacobi, Gauss-Seidel and SOR: sweeps that leave a system's u smoother, and the residual computed anew where
// it is looked at.
#pragma once

#include <algorithm>
#include <utility>

#include "solvers/linear/method.hpp"

namespace cfdmark {

// Even, so that Jacobi's two fields need no copy.
inline const Setting stationary_interval{"check_interval", {10, 20, 50, 100}, 20, between_looks};

// How to advance a system's u by a number of sweeps.
class Relaxation {
 public:
  virtual ~Relaxation() = default;
  virtual void sweep(int sweeps) = 0;
  // Brings u into the relaxation's own layout, and back.
  virtual void load() = 0;
  virtual void store() = 0;
  virtual const Operation& operation() const = 0;
  virtual int sweeps_of_operation() const { return 1; }
  virtual Cost cost(int sweeps) const { return double(sweeps) * operation().cost; }
};

// A kernel whose step updates u in place.
class InPlaceRelaxation final : public Relaxation {
 public:
  explicit InPlaceRelaxation(Operation sweep) : sweep_(std::move(sweep)) {}
  void sweep(int sweeps) override {
    for (int n = 0; n < sweeps; ++n) sweep_();
  }
  void load() override { sweep_.load(); }
  void store() override { sweep_.store(); }
  const Operation& operation() const override { return sweep_; }

 private:
  Operation sweep_;
};

// The same by a method that makes `at_once` sweeps in one run, and by another what is left of them. Neither
// has a layout of its own.
class SweepsAtOnce final : public Relaxation {
 public:
  SweepsAtOnce(Operation several, int at_once, Operation one)
      : several_(std::move(several)), at_once_(at_once), one_(std::move(one)) {}
  void sweep(int sweeps) override {
    for (; sweeps >= at_once_; sweeps -= at_once_) several_();
    for (; sweeps > 0; --sweeps) one_();
  }
  void load() override {}
  void store() override {}
  const Operation& operation() const override { return several_; }
  int sweeps_of_operation() const override { return at_once_; }
  Cost cost(int sweeps) const override {
    const int rest = sweeps % at_once_;
    return double(sweeps - rest) * several_.cost + double(rest) * one_.cost;
  }

 private:
  Operation several_;
  int at_once_;
  Operation one_;
};

// Of a method of several steps: how many it makes at once, prepared as one plan. Those of a graph, or between
// two looks at the residual, in equal shares if they are many.
inline int sweeps_at_once(const Config& config) {
  constexpr int most = 64;
  const int graph = graph_iterations(config), all = graph > 1 ? graph : config.whole("check_interval");
  const int shares = (all + most - 1) / most;
  return (all + shares - 1) / shares;
}

class StationaryIteration final : public Iteration {
 public:
  StationaryIteration(const System& system, std::unique_ptr<Relaxation> relaxation, const Config& config)
      : relaxation_(std::move(relaxation)), residual_norm_(system, config) {}

  // The relaxation's layout takes a copy of u: for the first residual it need not be stored.
  void start() override {
    at_start_ = is_stored_ = true;
    relaxation_->load();
  }
  int advance(int most, double) override {
    relaxation_->sweep(most);
    is_stored_ = false;
    return most;
  }
  std::vector<NamedValue> residuals() override {
    look();
    return linear_residual(residual_norm_.get());
  }
  const double* residual_square() const override { return residual_norm_.square(); }
  void look() override {
    if (!std::exchange(at_start_, false)) relaxation_->store();
    is_stored_ = true;
    residual_norm_.make_square();
  }
  void store() override {
    if (!std::exchange(is_stored_, true)) relaxation_->store();
  }
  Cost cost(int iterations) const override { return relaxation_->cost(iterations); }
  Cost check_cost() const override { return residual_norm_.cost(); }
  Resources resources() const override {
    Resources resources;
    add_resources(resources, relaxation_->operation().step);
    const int sweeps = relaxation_->sweeps_of_operation();
    resources.launches = (resources.launches + sweeps - 1) / sweeps;
    return resources;
  }

 private:
  std::unique_ptr<Relaxation> relaxation_;
  ResidualNorm residual_norm_;
  bool at_start_ = false, is_stored_ = true;  // not known of sweeps that are recorded: a look stores anyway
};

// The methods of a solver whose sweeps are those of kernel K: one for each of the kernel's. make(system,
// kernel's method, config) makes the relaxation. How many steps a method of several makes at once is not a
// setting of the solver.
template <class K, class Make>
std::vector<SolverMethod> relaxation_methods(BackendKind kind, Make make,
                                             SourcePlace where = SourcePlace::here()) {
  const auto args_of = [](const SystemShape& s) {
    return args_without_values<K>(s.precision == Precision::mixed ? Precision::fp32 : s.precision, s.grid,
                                  s.constant_operator);
  };
  Methods<CellArgs<K>> kernels = CellKernel<K>::methods(kind);
  // A solver makes many sweeps: it prefers a method that makes several in one pass over memory. The first
  // stays the textbook's.
  if (!kernels.empty())
    std::stable_partition(kernels.begin() + 1, kernels.end(),
                          [](const auto& m) { return m.steps != nullptr; });
  std::vector<SolverMethod> methods;
  for (const Method<CellArgs<K>>& kernel : kernels) {
    if (!kernel.for_solvers) continue;
    SolverMethod method{kernel.name, kernel.space, [=](const System& system, const Config& config) {
                          return std::make_unique<StationaryIteration>(system, make(system, kernel, config),
                                                                       config);
                        }};
    method.described_at = where;
    if (kernel.unsupported)
      method.unsupported = [=](const SystemShape& s) { return kernel.unsupported(args_of(s)); };
    if (kernel.preferred)
      method.preferred = [=](const SystemShape& s) { return kernel.preferred(args_of(s)); };
    else if (kernel.steps)
      method.preferred = [](const SystemShape&) { return true; };
    if (kernel.steps)
      std::erase_if(method.space.settings, [&](const Setting& s) { return s.name == kernel.steps; });
    method.space.settings.push_back(stationary_interval);
    allow_graphs(kind, method);
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace cfdmark
