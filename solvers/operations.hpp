// The kernels as solvers use them, prepared on fields.
#pragma once

#include "kernels/axpby/axpby.hpp"
#include "kernels/reduction/reduction.hpp"
#include "kernels/stencil_operator/stencil_operator.hpp"
#include "solvers/system.hpp"

namespace cfdmark {

// A step with its declared cost.
struct Operation {
  Step step;
  Cost cost;
  void operator()() const { step.run(); }
};

// The part of `given` that the space knows, completed with its defaults.
inline Config config_for(const TuningSpace& space, const Config& given) {
  Config config = space.defaults();
  config.take_known(given);
  return space.complete(config);
}

template <class Args>
Operation prepare(const Methods<Args>& methods, const std::string& method, Cost (*cost)(const Args&),
                  Backend& backend, const Args& args, const Config& config) {
  const Method<Args>& m = find_method(methods, method);
  const Config complete = config_for(m.space, config);
  return {m.prepare(backend, args, complete), declared_cost(m, cost, args, complete)};
}

// By the default method: for a kernel that a solver is not about.
template <class Args>
Operation prepare_default(const Methods<Args>& methods, Cost (*cost)(const Args&), Backend& backend,
                          const Args& args, const Config& config) {
  return prepare(methods, default_method(methods, args).name, cost, backend, args, config);
}

class Operations {
 public:
  // Of the config only the number of threads matters here: a block shape is meant for the solver's own
  // kernel.
  Operations(const System& system, const Config& config) : system_(system) {
    if (config.has("threads")) config_.set("threads", config.at("threads"));
  }

  // q = A u
  Operation apply(const Field& u, const Field& q) const { return stencil(StencilOperation::apply, u, u, q); }
  // r = b - A u
  Operation residual(const Field& u, const Field& b, const Field& r) const {
    return stencil(StencilOperation::residual, u, b, r);
  }
  // result = x . y
  Operation dot(const Field& x, const Field& y, const DeviceScalar& result) const {
    const ReductionArgs args{system_.precision, system_.grid, ReductionOperation::dot,
                             x.view(),          y.view(),     result.data()};
    return with_default(reduction_methods(kind()), reduction_cost, args);
  }
  // y = alpha x + beta y; x and y may be stored differently, and then the arithmetic is in 64 bits
  Operation axpby(Scalar alpha, const Field& x, Scalar beta, const Field& y) const {
    const bool fp32 = x.storage() == Precision::fp32 && y.storage() == Precision::fp32;
    const AxpbyArgs args{fp32 ? Precision::fp32 : Precision::fp64,
                         x.storage(),
                         y.storage(),
                         system_.grid,
                         alpha,
                         beta,
                         x.view(),
                         y.view()};
    return with_default(axpby_methods(kind()), axpby_cost, args);
  }

 private:
  BackendKind kind() const { return system_.backend->kind(); }
  template <class Args>
  Operation with_default(const Methods<Args>& methods, Cost (*cost)(const Args&), const Args& args) const {
    return prepare_default(methods, cost, *system_.backend, args, config_);
  }
  Operation stencil(StencilOperation operation, const Field& u, const Field& b, const Field& out) const {
    const StencilArgs args{system_.precision, system_.grid, operation, system_.a,
                           u.view(),          b.view(),     out.view()};
    return with_default(stencil_methods(kind()), stencil_cost, args);
  }

  const System& system_;
  Config config_;
};

// ||b - A u||_2 of a system, computed on its backend in its precision.
class ResidualNorm {
 public:
  ResidualNorm(const System& system, const Config& config)
      : r_(system.new_field()),
        square_(*system.backend),
        residual_(Operations(system, config).residual(system.u, system.b, r_)),
        dot_(Operations(system, config).dot(r_, r_, square_)) {}

  double operator()() const {
    residual_();
    dot_();
    return std::sqrt(square_.get());
  }
  Cost cost() const { return residual_.cost + dot_.cost; }
  const Field& residual() const { return r_; }

 private:
  Field r_;
  DeviceScalar square_;
  Operation residual_, dot_;
};

}  // namespace cfdmark
