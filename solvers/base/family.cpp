#include "solvers/base/family.hpp"

#include <algorithm>

namespace cfdmark {
namespace {

template <class Entries>
auto find(const Entries& entries, const std::string& name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const FamilySolver* find_solver(const Family& family, const std::string& name) {
  return find(family.solvers, name);
}
const FamilyProblem* find_problem(const Family& family, const std::string& name) {
  return find(family.problems, name);
}

const std::vector<Setting>& solve_settings() {
  static const std::vector<Setting> settings = {
      real_setting("tolerance", 1e-6, real_between(0, 1),
                   "residual, relative to the first, that ends a solve"),
      {"max_iterations", {}, 10000, "largest number of iterations"}};
  return settings;
}

Config problem_settings(const FamilyProblem& problem, const Config& workload) {
  return TuningSpace{problem.settings}.filled(workload);
}

}  // namespace cfdmark
