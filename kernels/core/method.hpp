// A method: one implementation of a kernel on a backend. Each backend file of a kernel ends in a table of
// these.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/core/config.hpp"
#include "kernels/core/cost.hpp"
#include "kernels/core/precision.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

class Backend;

// A default that replaces the declared one.
struct UsualValue {
  const char* setting = nullptr;
  int value = 0;
};

template <class Args>
struct Method {
  std::string name;
  TuningSpace space;  // settings with their defaults for 32-bit storage
  // Returns a step that is ready to run: memory allocated, code compiled, scalars stored. The step copies
  // `args`; the memory behind their views must outlive the step.
  Step (*prepare)(Backend&, const Args&, const Config&);
  // Returns an empty string if the method supports these args, else the reason. Null: it supports all.
  std::string (*unsupported)(const Args&) = nullptr;
  // Declared cost, if it differs from the kernel's. Null: the kernel's.
  Cost (*cost)(const Args&) = nullptr;
  // Tolerance of a library method that rounds differently, in unit roundoffs relative to the result. 0:
  // results are bitwise equal to the kernel's.
  double roundoffs = 0;
  // False for a library routine: there is no device code of ours to compile or to emulate.
  bool device_code = true;
  // False for a method written for one case as a baseline: solvers do not use it.
  bool for_solvers = true;
  // Declared cost where it depends on the config. Null: it does not.
  Cost (*config_cost)(const Args&, const Config&) = nullptr;
  // Returns true if measurements make this the default method for these args. Null: never.
  bool (*preferred)(const Args&) = nullptr;
  // Name of an integer setting: the number of consecutive steps that one run performs. Such a run is verified
  // against that many plain steps; its times and costs are divided by that number. All steps together move
  // the bytes of one kernel step, unless the method declares another cost. Null: one step per run.
  const char* steps = nullptr;

  // Default of one setting for 64-bit storage, if it differs. A null name: no setting differs.
  UsualValue usual_in_fp64 = {};

  TuningSpace space_in(Precision p) const {
    TuningSpace its = space;
    for (Setting& setting : its.settings)
      if (storage_of(p) == Precision::fp64 && usual_in_fp64.setting && setting.name == usual_in_fp64.setting)
        setting.default_value = usual_in_fp64.value;
    return its;
  }
  int steps_of(const Config& config) const { return steps ? config.integer(steps) : 1; }
  // Returns true if one call performs exactly one step, as a solver requires.
  bool is_of_one_step() const { return for_solvers && !steps; }

  std::string why_unsupported(const Args& args) const { return unsupported ? unsupported(args) : ""; }
};

// A `preferred` that holds for all args.
template <class Args>
bool always(const Args&) {
  return true;
}

// Returns the cost of one step: the method's if it declares one, else the kernel's.
template <class Args>
Cost declared_cost(const Method<Args>& method, Cost (*kernel_cost)(const Args&), const Args& args,
                   const Config& config) {
  if (method.config_cost) return method.config_cost(args, config);
  Cost cost = method.cost ? method.cost(args) : kernel_cost(args);
  cost.bytes /= method.steps_of(config);
  return cost;
}

template <class Args>
using Methods = std::vector<Method<Args>>;

// Returns the default: the first entry that is able and preferred, else the first that is able, else the end
// of the table. Methods, catalog rows and solvers all choose by this rule.
template <class Table, class Able, class Preferred>
auto default_choice(const Table& table, Able able, Preferred preferred) {
  const auto wanted =
      std::find_if(table.begin(), table.end(), [&](const auto& t) { return able(t) && preferred(t); });
  return wanted != table.end() ? wanted : std::find_if(table.begin(), table.end(), able);
}

// Returns the default one-step method for args. Throws std::invalid_argument if no method supports them.
template <class Args>
const Method<Args>& default_method(const Methods<Args>& methods, const Args& args) {
  const auto chosen = default_choice(
      methods, [&](const auto& m) { return m.is_of_one_step() && m.why_unsupported(args).empty(); },
      [&](const auto& m) { return m.preferred && m.preferred(args); });
  if (chosen == methods.end())
    throw std::invalid_argument("no method of this backend supports these arguments");
  return *chosen;
}

// Returns the method of that name. Throws std::invalid_argument if it is unknown. The reference points into
// the table, which must outlive it.
template <class Args>
const Method<Args>& find_method(const Methods<Args>& methods, const std::string& name) {
  auto found = std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == name; });
  if (found == methods.end()) throw std::invalid_argument("unknown method '" + name + "' on this backend");
  return *found;
}
template <class Args>
const Method<Args>& find_method(const Methods<Args>&&, const std::string&) = delete;

}  // namespace cfdmark
