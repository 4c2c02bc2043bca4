#include "kernels/jacobi/jacobi.hpp"

#include "solvers/linear/stationary.hpp"

namespace cfdmark {
namespace {

// From u to a second field and back, in turn.
class JacobiRelaxation final : public Relaxation {
 public:
  JacobiRelaxation(const System& system, const Method<CellArgs<Jacobi>>& method, const Config& config)
      : system_(system), other_(system.new_field()) {
    auto sweep = [&](const AnyView& from, const AnyView& to) {
      const CellArgs<Jacobi> args{system.precision, {}, {system.a, from, system.b, to}};
      return prepare(system, "sweep", method, args, config);
    };
    there_ = sweep(system.u, other_.view()), back_ = sweep(other_.view(), system.u);
    copy_back_ = Operations(system, config).scale({1}, other_.view(), system.u);
  }

  void sweep(int sweeps) override {
    for (int n = 0; n < sweeps; ++n, in_other_ = !in_other_) (in_other_ ? back_ : there_)();
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
  const Operation& operation() const override { return there_; }

 private:
  System system_;
  Field other_;
  Operation there_, back_, copy_back_;
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
