#include "bench/solve/families.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solvers/block/table.hpp"
#include "solvers/flow/table.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

template <class Problems>
std::string help_of(const Problems& problems) {
  std::string text;
  for (const auto& p : problems) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", p.name, p.help);
  return text;
}

const Family* find(std::vector<std::string> Family::*names, const std::string& name) {
  for (const Family& family : families())
    if (std::find((family.*names).begin(), (family.*names).end(), name) != (family.*names).end())
      return &family;
  return nullptr;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {solver_names(), problem_names(), help_of(problem_table()), solve_linear},
      {flow_solver_names(), flow_problem_names(), help_of(flow_problem_table()), solve_flow},
      {block_solver_names(), block_problem_names(), help_of(block_problem_table()), solve_blocks}};
  return all;
}

const Family* family_of_solver(const std::string& solver) { return find(&Family::solvers, solver); }
const Family* family_of_problem(const std::string& problem) { return find(&Family::problems, problem); }

std::vector<std::string> of_all_families(std::vector<std::string> Family::*names) {
  std::vector<std::string> all;
  for (const Family& family : families())
    all.insert(all.end(), (family.*names).begin(), (family.*names).end());
  return all;
}

}  // namespace cfdmark
