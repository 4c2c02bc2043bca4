#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/jacobi/jacobi_methods.hpp"
#include "solvers/linear/stationary/stationary.hpp"
#include "solvers/linear/system/overlapped_sweep.hpp"

namespace cfdmark {
namespace {

using JacobiMethod = Method<CellArgs<Jacobi>>;

// Alternates between u and a second field. With `edges_first` a sweep sends what the next one reads, and the
// first of several is preceded by an exchange: what changed u since did not send it. A method with several
// passes per run writes its result to the second field, from which it is copied back. This copy is cheap next
// to several passes and avoids a second operation.
class JacobiRelaxation final : public Relaxation {
 public:
  JacobiRelaxation(const System& system, const JacobiMethod& method, const Config& config, double* square)
      : system_(system), other_(system.new_field()) {
    copy_back_ = Operations(system, config).scale({1}, other_.view(), system.u);
    if (!method.steps) {
      if (overlap_of(system, config) == Overlap::edges_first)
        exchange_u_ = exchange_of(system.u, config), exchange_other_ = exchange_of(other_.view(), config);
      there_ = sweep_between(system.u, other_.view(), method, config);
      back_ = sweep_between(other_.view(), system.u, method, config);
      return;
    }
    at_once_ = sweeps_at_once(config);
    std::tie(several_, leaves_square_) =
        several_sweeps(system, method, jacobi_with_residual(system.backend->kind()),
                       args_between(system.u, other_.view()), config, square);
    const JacobiMethod plain = CellKernel<Jacobi>::methods(system.backend->kind()).front();
    there_ = sweep_between(system.u, other_.view(), plain, {});
    back_ = sweep_between(other_.view(), system.u, plain, {});
  }

  void sweep(int sweeps) override {
    for (; at_once_ > 0 && sweeps >= at_once_; sweeps -= at_once_) {
      store();
      several_();
      copy_back_();
      has_left_square_ = leaves_square_;
    }
    if (sweeps > 0)
      for (const Operation& one : in_other_ ? exchange_other_ : exchange_u_) one();
    for (; sweeps > 0; --sweeps) {
      (std::exchange(in_other_, !in_other_) ? back_ : there_)();
      has_left_square_ = false;
    }
  }
  bool has_left_square() const override { return has_left_square_; }
  // The second field needs u's boundary values in its ghosts.
  void load() override {
    in_other_ = false;
    copy_whole(system_, system_.u, other_.view());
  }
  void store() override {
    if (in_other_) copy_back_();
    in_other_ = false;
  }
  const Operation& operation() const override { return at_once_ > 0 ? several_ : there_; }
  int sweeps_of_operation() const override { return std::max(at_once_, 1); }
  Cost cost(int sweeps) const override {
    const int runs = at_once_ > 0 ? sweeps / at_once_ : 0, rest = sweeps - runs * at_once_;
    return double(sweeps - rest) * several_.cost + double(runs) * copy_back_.cost +
           double(rest) * there_.cost;
  }

 private:
  CellArgs<Jacobi> args_between(const AnyView& from, const AnyView& to) const {
    return {.precision = system_.precision,
            .fields = {.a = system_.stencil(), .u = from, .b = system_.b, .out = to}};
  }
  std::vector<Operation> exchange_of(const AnyView& field, const Config& config) const {
    return Operations(system_, config).exchange(field);
  }
  Operation sweep_between(const AnyView& from, const AnyView& to, const JacobiMethod& method,
                          const Config& config) const {
    const Overlap order = overlap_of(system_, config);
    if (order != Overlap::none)
      return overlapped_sweep(system_, "sweep", order, order == Overlap::inner_first ? from : to, method,
                              args_between(from, to), config);
    return Operations(system_, config)
        .around(from, prepare(system_, "sweep", method, args_between(from, to), config));
  }

  System system_;
  Field other_;
  int at_once_ = 0;  // 0 for a method of one pass per run
  Operation several_, there_, back_, copy_back_;
  std::vector<Operation> exchange_u_, exchange_other_;  // before the first of several sweeps; empty: none
  bool in_other_ = false, leaves_square_ = false, has_left_square_ = false;
};

std::vector<SolverMethod> methods(BackendKind kind) {
  std::vector<SolverMethod> methods = relaxation_methods<Jacobi>(
      kind,
      [](const System& system, const auto& method, const Config& config, double* square) {
        return std::make_unique<JacobiRelaxation>(system, method, config, square);
      },
      jacobi_with_residual(kind));
  for (SolverMethod& method : methods) {
    method.does_ranks = method.name == "plain" || method.name == "column";
    if (method.does_ranks && kind == BackendKind::cuda) add_overlap(method, {"inner_first", "edges_first"});
  }
  return methods;
}

}  // namespace

SolverDescription jacobi_solver() {
  return {.name = "jacobi",
          .methods = methods,
          .needs_held_value = "a pass only flips the sign of a checkerboard; use gauss_seidel",
          .is_slow = true};
}

}  // namespace cfdmark
