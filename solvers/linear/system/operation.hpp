// A kernel in the form that linear solvers use.
#pragma once

#include <utility>

#include "kernels/core/config.hpp"
#include "kernels/core/cost.hpp"
#include "kernels/core/step.hpp"
#include "kernels/device/field.hpp"
#include "solvers/base/routines.hpp"

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

// Returns the operation, which keeps the memory of a field that it uses.
inline Operation keeping(Field field, Operation operation) {
  operation.step.run = [field = std::move(field), run = std::move(operation.step.run)] { run(); };
  return operation;
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

}  // namespace cfdmark
