// The kernels as linear solvers use them, prepared on views.
#pragma once

#include <array>
#include <cmath>

#include "kernels/apply/apply.hpp"
#include "kernels/axpy/axpy.hpp"
#include "kernels/backends/cell_kernel.hpp"
#include "kernels/reduction/reduction.hpp"
#include "kernels/residual/residual.hpp"
#include "kernels/scale/scale.hpp"
#include "solvers/linear/system.hpp"

namespace cfdmark {

// A step with its declared cost. Where the system's clock is on, it is timed under the name of its routine.
struct Operation {
  const char* routine = "";
  Backend* backend = nullptr;
  RoutineClock* clock = nullptr;
  Step step;
  Cost cost;

  void operator()() const { run(step.run); }
  // Into the method's own layout and back, where it has one.
  void load() const { run(step.load); }
  void store() const { run(step.store); }

 private:
  void run(const std::function<void()>& part) const {
    if (!part) return;
    if (clock && clock->is_on()) return clock->time(routine, *backend, part);
    part();
  }
};

// The two as one, the second after the first, of the first's routine.
inline Operation in_turn(Operation first, const Operation& second) {
  first.step = in_turn(std::move(first.step), second.step);
  first.cost = first.cost + second.cost;
  return first;
}

inline void add_resources(Resources& sum, const Resources& more) {
  add_resources(sum, Step{{}, {}, {}, more});
}

// The part of `given` that the space knows, completed with its defaults.
inline Config config_for(const TuningSpace& space, const Config& given) {
  Config config = space.defaults(given);
  config.take_known(given);
  return space.complete(config);
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

// Copies what lies across the domain into the ghosts of a field's sides that are periodic, in x, y and z;
// none where none is.
std::vector<Operation> ghost_copies(const System&, const std::array<bool, 3>& periodic, const AnyView& field,
                                    const Config&);

// The kernels that read neighbours fill the ghosts of periodic sides before.
class Operations {
 public:
  // Of the config only the number of threads matters here: a block shape is meant for the solver's own
  // kernel.
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
  // result = the sum of (b - A u)^2
  Operation residual_square(const AnyView& u, const AnyView& b, const DeviceScalar& result) const {
    return around(
        u, sweep<ResidualSquare>("residual", {system_.precision, {}, {system_.a, u, b}, result.data()}));
  }
  // result = x . y
  Operation dot(const AnyView& x, const AnyView& y, const DeviceScalar& result) const {
    return sweep<Dot>("dot", {system_.precision, {}, {x, y}, result.data()});
  }
  // y = alpha x + beta y. Of views that are stored differently the arithmetic is in 64 bits.
  Operation update(Scalar alpha, const AnyView& x, Scalar beta, const AnyView& y,
                   const char* routine = "update") const {
    return sweep<Axpy>(routine, {precision_of(x, y), {alpha, beta}, {x, y}});
  }
  // y = alpha x, likewise
  Operation scale(Scalar alpha, const AnyView& x, const AnyView& y, const char* routine = "update") const {
    return sweep<Scale>(routine, {precision_of(x, y), {alpha}, {x, y}});
  }

  // A kernel by the method where nobody chose.
  template <class K>
  Operation sweep(const char* routine, const CellArgs<K>& args) const {
    const Methods<CellArgs<K>> methods = CellKernel<K>::methods(system_.backend->kind());
    return prepare(system_, routine, default_method(methods, args), args, config_);
  }
  // The same with u's ghosts between periodic sides filled before.
  Operation around(const AnyView& u, Operation of) const {
    const std::vector<Operation> copies = ghost_copies(system_, system_.sides.periodic, u, config_);
    for (auto copy = copies.rbegin(); copy != copies.rend(); ++copy) {
      of.step = in_turn(copy->step, std::move(of.step));
      of.cost = of.cost + copy->cost;
    }
    return of;
  }
  // The operator's arrays to those of a system of another precision; none if it is constant.
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
  // The same in two: only get() waits.
  void make_square() const { make_square_(); }
  double get() const { return std::sqrt(square_.get()); }
  const double* square() const { return square_.data(); }
  Cost cost() const { return make_square_.cost; }

 private:
  DeviceScalar square_;
  Operation make_square_;
};

// As it is named in outcomes.
inline std::vector<NamedValue> linear_residual(double norm) { return {{"b - A u", norm}}; }

}  // namespace cfdmark
