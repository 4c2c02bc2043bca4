#include "kernels/jacobi/jacobi.hpp"

#include "solvers/linear/stationary.hpp"

namespace cfdmark {
namespace {

using JacobiMethod = Method<CellArgs<Jacobi>>;

// A method of several steps makes half of those between two looks at the residual, so that u is where it was
// by then.
int jacobi_at_once(const JacobiMethod& method, const Config& config) {
  if (!method.steps) return 1;
  const int all = sweeps_at_once(config);
  return all % 2 == 0 ? all / 2 : all;
}

// From u to a second field and back, in turn: as many sweeps at a time as the method makes in one run, and
// one by one what is left of them.
class JacobiRelaxation final : public Relaxation {
 public:
  JacobiRelaxation(const System& system, const JacobiMethod& method, const Config& config)
      : system_(system), other_(system.new_field()), at_once_(jacobi_at_once(method, config)) {
    Config of_several = config;
    if (method.steps) of_several.set(method.steps, at_once_);
    several_ = turns(method, of_several);
    if (method.steps) one_ = turns(CellKernel<Jacobi>::methods(system.backend->kind()).front(), {});
    copy_back_ = Operations(system, config).scale({1}, other_.view(), system.u);
  }

  void sweep(int sweeps) override {
    for (; sweeps >= at_once_; sweeps -= at_once_) turn(several_);
    for (; sweeps > 0; --sweeps) turn(one_);
  }
  // The second field needs the same ghost layer: its boundary values are u's.
  void load() override {
    in_other_ = false;
    copy_whole(system_, system_.u, other_.view());
  }
  void store() override {
    if (in_other_) copy_back_();
    in_other_ = false;
  }
  const Operation& operation() const override { return several_.there; }
  int sweeps_of_operation() const override { return at_once_; }
  Cost cost(int sweeps) const override {
    const int rest = sweeps % at_once_;
    return double(sweeps - rest) * several_.there.cost + double(rest) * one_.there.cost;
  }

 private:
  struct Turns {
    Operation there, back;
  };
  Turns turns(const JacobiMethod& method, const Config& config) const {
    const auto from_to = [&](const AnyView& from, const AnyView& to) {
      const CellArgs<Jacobi> args{system_.precision, {}, {system_.a, from, system_.b, to}};
      return prepare(system_, "sweep", method, args, config);
    };
    return {from_to(system_.u, other_.view()), from_to(other_.view(), system_.u)};
  }
  void turn(const Turns& turns) { (std::exchange(in_other_, !in_other_) ? turns.back : turns.there)(); }

  System system_;
  Field other_;
  int at_once_;
  Turns several_, one_;
  Operation copy_back_;
  bool in_other_ = false;
};

std::vector<SolverMethod> methods(BackendKind kind) {
  return relaxation_methods<Jacobi>(kind, [](const System& system, const auto& method, const Config& config) {
    return std::make_unique<JacobiRelaxation>(system, method, config);
  });
}

}  // namespace

SolverDescription jacobi_solver() { return {"jacobi", methods}; }

}  // namespace cfdmark
