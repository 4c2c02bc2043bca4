// Kernels in the form that linear solvers use. An operation is a kernel prepared on views, with its declared
// cost and the name of the routine (routines.hpp) under which it is timed.
#pragma once

#include <array>
#include <cmath>

#include "kernels/apply/apply.hpp"
#include "kernels/axpy/axpy.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/reduction/reduction.hpp"
#include "kernels/residual/residual.hpp"
#include "kernels/scale/scale.hpp"
#include "solvers/linear/system/system.hpp"

namespace cfdmark {

// A step with its declared cost. While the system's clock is on, it is timed under its routine name.
struct Operation {
  const char* routine = "";
  Backend* backend = nullptr;
  RoutineClock* clock = nullptr;
  Step step;
  Cost cost;

  void operator()() const { run(step.run); }
  // Converts to the method's own layout and back, if it has one.
  void load() const { run(step.load); }
  void store() const { run(step.store); }

 private:
  void run(const std::function<void()>& part) const {
    if (!part) return;
    if (clock && clock->is_on()) return clock->time(routine, *backend, part);
    part();
  }
};

// Returns one operation that runs `first` and then `second`, under the routine name of `first`.
inline Operation in_turn(Operation first, const Operation& second) {
  first.step = in_turn(std::move(first.step), second.step);
  first.cost = first.cost + second.cost;
  return first;
}

inline void add_resources(Resources& sum, const Resources& more) {
  add_resources(sum, Step{{}, {}, {}, more});
}

// Returns the space's defaults, overridden by the values of `given` that the space knows.
inline Config config_for(const TuningSpace& space, const Config& given) {
  Config config = space.filled(given);
  space.check(config);
  return config;
}

template <class Args>
Operation prepare(const System& system, const char* routine, const Method<Args>& method,
                  Cost (*cost)(const Args&), const Args& args, const Config& config) {
  const Config complete = config_for(method.space_in(system.precision), config);
  return {routine, system.backend, system.clock, method.prepare(*system.backend, args, complete),
          declared_cost(method, cost, args, complete)};
}

template <class K>
Operation prepare(const System& system, const char* routine, const Method<CellArgs<K>>& method,
                  const CellArgs<K>& args, const Config& config) {
  return prepare(system, routine, method, cell_cost<K>, args, config);
}

// Returns copies that fill the periodic ghosts of a field in x, y and z; empty without periodic axes.
std::vector<Operation> ghost_copies(const System&, const std::array<bool, 3>& periodic, const AnyView& field,
                                    const Config&);

// Factory of operations on a system. Kernels that read neighbours first fill the ghosts of periodic sides.
class Operations {
 public:
  // Takes only `threads` from the config, because a block shape there belongs to the solver's own kernel.
  Operations(const System& system, const Config& config) : system_(system) {
    if (config.has("threads")) config_.set("threads", config.at("threads"));
  }

  // q = A u
  Operation apply(const AnyView& u, const AnyView& q) const {
    return around(u, sweep<Apply>("apply", {system_.precision, {}, {system_.a, u, q}}));
  }
  // r = b - A u
  Operation residual(const AnyView& u, const AnyView& b, const AnyView& r) const {
    return around(u, sweep<Residual>("residual", {system_.precision, {}, {system_.a, u, b, r}}));
  }
  // result = sum of (b - A u)^2
  Operation residual_square(const AnyView& u, const AnyView& b, const DeviceScalar& result) const {
    return around(
        u, sweep<ResidualSquare>("residual", {system_.precision, {}, {system_.a, u, b}, result.data()}));
  }
  // result = x . y
  Operation dot(const AnyView& x, const AnyView& y, const DeviceScalar& result) const {
    return sweep<Dot>("dot", {system_.precision, {}, {x, y}, result.data()});
  }
  // y = alpha x + beta y. Views of different precision use 64-bit arithmetic.
  Operation update(Scalar alpha, const AnyView& x, Scalar beta, const AnyView& y,
                   const char* routine = "update") const {
    return sweep<Axpy>(routine, {precision_of(x, y), {alpha, beta}, {x, y}});
  }
  // y = alpha x, with the same rule
  Operation scale(Scalar alpha, const AnyView& x, const AnyView& y, const char* routine = "update") const {
    return sweep<Scale>(routine, {precision_of(x, y), {alpha}, {x, y}});
  }

  // Prepares a kernel by its default method.
  template <class K>
  Operation sweep(const char* routine, const CellArgs<K>& args) const {
    const Methods<CellArgs<K>> methods = CellKernel<K>::methods(system_.backend->kind());
    return prepare(system_, routine, default_method(methods, args), args, config_);
  }
  // Returns the operation preceded by the copies that fill u's periodic ghosts.
  Operation around(const AnyView& u, Operation of) const {
    const std::vector<Operation> copies = ghost_copies(system_, system_.sides.periodic, u, config_);
    for (auto copy = copies.rbegin(); copy != copies.rend(); ++copy) {
      of.step = in_turn(copy->step, std::move(of.step));
      of.cost = of.cost + copy->cost;
    }
    return of;
  }
  // Returns copies of the operator's arrays to those of a system of another precision; empty for a constant
  // operator.
  std::vector<Operation> copy_operator(const System& to) const {
    const std::vector<AnyView> ours = arrays_of(system_.a, system_.grid()),
                               others = arrays_of(to.a, to.grid());
    std::vector<Operation> copies;
    for (std::size_t n = 0; n < ours.size(); ++n)
      copies.push_back(scale({1}, ours[n], others[n], "to 32 bits"));
    return copies;
  }

 private:
  static Precision precision_of(const AnyView& x, const AnyView& y) {
    if (y.storage == Precision::fp64) return Precision::fp64;
    return x.storage == Precision::fp64 ? Precision::mixed : Precision::fp32;
  }

  System system_;
  Config config_;
};

// ||b - A u||_2 of a system, computed on its backend in its precision.
class ResidualNorm {
 public:
  ResidualNorm(const System& system, const Config& config)
      : square_(*system.backend),
        make_square_(Operations(system, config).residual_square(system.u, system.b, square_)) {}

  double operator()() const {
    make_square();
    return get();
  }
  // operator() in two parts, of which only get() waits for the backend.
  void make_square() const { make_square_(); }
  double get() const { return std::sqrt(square_.get()); }
  const double* square() const { return square_.data(); }
  Cost cost() const { return make_square_.cost; }

 private:
  DeviceScalar square_;
  Operation make_square_;
};

// Returns the residual under its name in outcomes.
inline std::vector<NamedValue> linear_residual(double norm) { return {{"b - A u", norm}}; }

}  // namespace cfdmark
