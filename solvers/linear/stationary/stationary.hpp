// Stationary iterations (Jacobi, Gauss-Seidel, SOR). At a check their residual is recomputed, unless the last
// passes have computed it too (kernels/residual/sweeps_and_residual.hpp).
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/residual/sweeps_and_residual.hpp"
#include "solvers/linear/system/method.hpp"
#include "solvers/linear/system/null_space.hpp"

namespace cfdmark {

// Search values are even, so that after them Jacobi's result is in the first of its two fields without a
// copy.
inline const Setting stationary_interval{"check_interval", {10, 20, 50, 100}, 20, between_looks};

// Advances a system's u by several relaxation passes.
class Relaxation {
 public:
  virtual ~Relaxation() = default;
  virtual void sweep(int sweeps) = 0;
  // Converts u to the relaxation's own layout and back.
  virtual void load() = 0;
  virtual void store() = 0;
  virtual const Operation& operation() const = 0;
  virtual int sweeps_of_operation() const { return 1; }
  // True if the last passes left the squared residual norm of u, so that it need not be recomputed.
  virtual bool has_left_square() const { return false; }
  virtual Cost cost(int sweeps) const { return double(sweeps) * operation().cost; }
};

// A relaxation whose kernel updates u in place.
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

// A relaxation whose method makes `at_once` passes per run; a second operation makes the remaining passes.
// Neither has a layout of its own.
class SweepsAtOnce final : public Relaxation {
 public:
  // leaves_square: true if `several` leaves the squared residual norm.
  SweepsAtOnce(Operation several, int at_once, bool leaves_square, Operation one)
      : several_(std::move(several)),
        at_once_(at_once),
        leaves_square_(leaves_square),
        one_(std::move(one)) {}
  void sweep(int sweeps) override {
    for (; sweeps >= at_once_; sweeps -= at_once_) several_(), has_left_square_ = leaves_square_;
    for (; sweeps > 0; --sweeps) one_(), has_left_square_ = false;
  }
  bool has_left_square() const override { return has_left_square_; }
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
  bool leaves_square_, has_left_square_ = false;
  Operation one_;
};

// Returns the number of passes per run of a method with several steps. It covers one graph, or the interval
// between two residual checks, split into equal parts of at most 64.
inline int sweeps_at_once(const Config& config) {
  constexpr int most = 64;
  const int graph = graph_iterations(config), all = graph > 1 ? graph : config.integer("check_interval");
  const int shares = (all + most - 1) / most;
  return (all + shares - 1) / shares;
}

// Setting that selects how a solver obtains the residual if its passes can compute it.
inline constexpr const char* residual_pass = "residual_pass";
inline Setting residual_pass_setting(BackendKind kind) {
  return choice_setting(residual_pass, {"fused", "separate"},
                        kind == BackendKind::cuda ? "separate" : "fused",  // fused is not measured on CUDA
                        "residual at a check: left by the last passes, or computed by a separate pass");
}
// Returns true if passes with this config must leave the squared residual norm. A check must follow complete
// runs, also when they are replayed from a graph.
inline bool is_fused(const Config& config, int at_once) {
  const int graph = graph_iterations(config), all = graph > 1 ? graph : config.integer("check_interval");
  return config.has(residual_pass) && config.is(residual_pass, "fused") && all % at_once == 0;
}

// Prepares several passes of `method`, whose number it sets. They leave the squared residual norm if
// `with_residual` has such a method and is_fused() holds. The second value says whether they do.
template <class K>
std::pair<Operation, bool> several_sweeps(const System& system, const Method<CellArgs<K>>& method,
                                          const Methods<SweepsAndResidual<K>>& with_residual,
                                          const CellArgs<K>& args, Config config, double* square) {
  const int at_once = sweeps_at_once(config);
  const bool fused = is_fused(config, at_once);
  config.set(method.steps, at_once);
  if (!fused) return {prepare(system, "sweep", method, args, config), false};
  const SweepsAndResidual<K> both{args, square};
  return {prepare(system, "sweep", find_method(with_residual, method.name), {}, both, config), true};
}

class StationaryIteration final : public Iteration {
 public:
  // make(address of the squared residual norm) makes the relaxation.
  template <class Make>
  StationaryIteration(const System& system, const Make& make, const Config& config)
      : square_(*system.backend),
        make_square_(Operations(system, config).residual_square(system.u, system.b, square_)),
        centre_u_(system, config, system.u),
        relaxation_(make(square_.data())) {}

  // load() copies u, so the first residual needs no store().
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
    check_residual();
    return linear_residual(std::sqrt(square_.get()));
  }
  const double* residual_square() const override { return square_.data(); }
  void check_residual() override {
    const bool is_first = std::exchange(at_start_, false);
    if (!is_first) relaxation_->store();
    is_stored_ = true;
    if (is_first || !relaxation_->has_left_square()) make_square_();
    if (!centre_u_) return;
    centre_u_();  // keeps its constant part from growing
    relaxation_->load();
  }
  void store() override {
    if (!std::exchange(is_stored_, true)) relaxation_->store();
  }
  // If the passes leave the squared norm, their cost includes every check but the first.
  Cost cost(int iterations) const override {
    const Cost sweeps = relaxation_->cost(iterations);
    return relaxation_->has_left_square() ? sweeps + make_square_.cost : sweeps;
  }
  Cost check_cost() const override {
    return (relaxation_->has_left_square() ? Cost{} : make_square_.cost) + centre_u_.cost();
  }
  Resources resources() const override {
    Resources resources;
    add_resources(resources, relaxation_->operation().step);
    const int sweeps = relaxation_->sweeps_of_operation();
    resources.launches = (resources.launches + sweeps - 1) / sweeps;
    return resources;
  }

 private:
  DeviceScalar square_;
  Operation make_square_;
  MeanRemoval centre_u_;
  std::unique_ptr<Relaxation> relaxation_;
  // is_stored_ is unreliable for replayed graphs, so check_residual() always stores.
  bool at_start_ = false, is_stored_ = true;
};

// Returns one solver method for each method of kernel K. make(system, kernel method, config, address of the
// squared residual norm) makes the relaxation. with_residual: methods whose passes leave that norm. The
// number of passes per run follows from other settings.
template <class K, class Make>
std::vector<SolverMethod> relaxation_methods(BackendKind kind, Make make,
                                             const Methods<SweepsAndResidual<K>>& with_residual = {},
                                             SourcePlace where = SourcePlace::here()) {
  const auto args_of = [](const SystemShape& s) {
    return args_without_values<K>(s.precision == Precision::mixed ? Precision::fp32 : s.precision, s.grid,
                                  s.constant_operator);
  };
  Methods<CellArgs<K>> kernels = CellKernel<K>::methods(kind);
  // A solver makes many passes, so a method with several passes per run precedes the others. The textbook
  // method stays first.
  if (!kernels.empty())
    std::stable_partition(kernels.begin() + 1, kernels.end(),
                          [](const auto& m) { return m.steps != nullptr; });
  std::vector<SolverMethod> methods;
  for (const Method<CellArgs<K>>& kernel : kernels) {
    if (!kernel.for_solvers) continue;
    SolverMethod method{kernel.name, kernel.space, [=](const System& system, const Config& config) {
                          return std::make_unique<StationaryIteration>(
                              system, [&](double* square) { return make(system, kernel, config, square); },
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
    if (std::any_of(with_residual.begin(), with_residual.end(),
                    [&](const auto& m) { return m.name == kernel.name; }))
      method.space.settings.push_back(residual_pass_setting(kind));
    allow_graphs(kind, method);
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace cfdmark
