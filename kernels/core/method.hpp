// A method: one way to do a kernel on a backend. Each backend file of a kernel ends in a table of these.
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

struct UsualValue {
  const char* setting = nullptr;
  int value = 0;
};

template <class Args>
struct Method {
  std::string name;
  TuningSpace space;  // with the usual values in 32 bits
  // Returns a step with memory allocated, code compiled and scalars in place. The step keeps copies of what
  // the args hold; the memory that the args' views look at must outlive it.
  Step (*prepare)(Backend&, const Args&, const Config&);
  // Empty if the method can do these args, else why not. Null: it can do all.
  std::string (*unsupported)(const Args&) = nullptr;
  // The method's own declared cost where it needs less or more than the kernel's. Null: the kernel's.
  Cost (*cost)(const Args&) = nullptr;
  // A library rounds in its own way: how many roundoffs, relative, its fields may be away from the kernel's.
  // 0: none, every bit is the same.
  double roundoffs = 0;
  // False: a library's routine does it, and there is no device code of ours to compile or to emulate.
  bool device_code = true;
  // False: written for one case, to measure the others against; no solver takes it.
  bool for_solvers = true;
  // The declared cost of a method where it depends on the config. Null: it does not.
  Cost (*config_cost)(const Args&, const Config&) = nullptr;
  // Whether it is what one wants for these args if nobody chose: measured, not guessed. Null: it is not.
  bool (*preferred)(const Args&) = nullptr;
  // The setting, a whole number, that says how many steps one run makes, each from what the one before left:
  // it is checked against so many plain ones, and its times and costs are those of one. Unless it declares
  // another cost, it moves in all of them what the kernel moves in one. Null: one.
  const char* steps = nullptr;

  // The usual value of a setting where numbers are stored in 64 bits, if it is another. No setting: none is.
  UsualValue usual_in_fp64 = {};

  TuningSpace space_in(Precision p) const {
    TuningSpace its = space;
    for (Setting& setting : its.settings)
      if (storage_of(p) == Precision::fp64 && usual_in_fp64.setting && setting.name == usual_in_fp64.setting)
        setting.fallback = usual_in_fp64.value;
    return its;
  }
  int steps_of(const Config& config) const { return steps ? config.whole(steps) : 1; }
  // Whether it is for who wants one step at a time.
  bool is_of_one_step() const { return for_solvers && !steps; }

  std::string why_unsupported(const Args& args) const { return unsupported ? unsupported(args) : ""; }
};

// For `preferred`.
template <class Args>
bool always(const Args&) {
  return true;
}

// The cost that a method declares, or else its kernel's.
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

// Where nobody chose: the first entry that can do the case and is preferred there, else the first that can.
// The table's end if none can. This is the one rule for methods, rows and solvers.
template <class Table, class Able, class Preferred>
auto default_choice(const Table& table, Able able, Preferred preferred) {
  const auto wanted =
      std::find_if(table.begin(), table.end(), [&](const auto& t) { return able(t) && preferred(t); });
  return wanted != table.end() ? wanted : std::find_if(table.begin(), table.end(), able);
}

// The method for one step with args, by that rule. Throws std::invalid_argument if none can do them.
template <class Args>
const Method<Args>& default_method(const Methods<Args>& methods, const Args& args) {
  const auto chosen = default_choice(
      methods, [&](const auto& m) { return m.is_of_one_step() && m.why_unsupported(args).empty(); },
      [&](const auto& m) { return m.preferred && m.preferred(args); });
  if (chosen == methods.end()) throw std::invalid_argument("no method of this backend can do it");
  return *chosen;
}

// Throws std::invalid_argument if the table has no such method. The table must outlive what is returned.
template <class Args>
const Method<Args>& find_method(const Methods<Args>& methods, const std::string& name) {
  auto found = std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == name; });
  if (found == methods.end()) throw std::invalid_argument("no method '" + name + "' on this backend");
  return *found;
}
template <class Args>
const Method<Args>& find_method(const Methods<Args>&&, const std::string&) = delete;

}  // namespace cfdmark
