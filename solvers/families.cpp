#include "solvers/families.hpp"

#include "generated/families.hpp"

namespace cfdmark {

const std::vector<Family>& families() {
  static const std::vector<Family> all = make_families();
  return all;
}

const Family* family_of_solver(const std::string& solver) {
  for (const Family& family : families())
    if (find_solver(family, solver)) return &family;
  return nullptr;
}

const Family* family_of_problem(const std::string& problem) {
  for (const Family& family : families())
    if (find_problem(family, problem)) return &family;
  return nullptr;
}

std::string usual_solver(const std::string& problem, bool in_3d) {
  const Family* family = family_of_problem(problem);
  const FamilyProblem& posed = family ? *find_problem(*family, problem) : families().front().problems.front();
  return in_3d ? posed.usual_solver_3d : posed.usual_solver;
}

std::vector<std::string> all_solver_names() {
  std::vector<std::string> names;
  for (const Family& family : families())
    for (const FamilySolver& solver : family.solvers) names.push_back(solver.name);
  return names;
}

std::vector<std::string> all_problem_names() {
  std::vector<std::string> names;
  for (const Family& family : families())
    for (const FamilyProblem& problem : family.problems) names.push_back(problem.name);
  return names;
}

}  // namespace cfdmark
