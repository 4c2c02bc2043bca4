#include "bench/case/row_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "bench/text/words.hpp"

namespace cfdmark {

TuningSpace workload_space(const Row& row, const std::string& name) {
  TuningSpace space{row.workload_settings};
  if (row.problems.empty()) return space;
  std::vector<std::string> names;
  for (const ProblemSettings& problem : row.problems) names.push_back(problem.name);
  const ProblemSettings* problem = name.empty() ? &row.problems.front() : find_problem(row, name);
  if (!problem)
    throw std::invalid_argument(fmt::format("unknown problem '{}' of {}; expected {}{}", name, row.name,
                                            one_of(names), did_you_mean(name, names)));
  space.settings.insert(space.settings.begin(),
                        choice_setting("problem", names, problem->name, "problem to solve"));
  space.settings.insert(space.settings.end(), problem->settings.begin(), problem->settings.end());
  return space;
}

Config workload_of(const Row& row, const Config& given) {
  return workload_space(row, given.has("problem") ? given.choice("problem") : "").filled(given);
}

void for_each_setting(const Row& row, const std::function<void(const Setting&)>& f) {
  for (const Setting& s : row.space.settings) f(s);
  for (const Setting& s : row.workload_settings) f(s);
  for (const ProblemSettings& problem : row.problems)
    for (const Setting& s : problem.settings) f(s);
}

const ProblemSettings* find_problem(const Row& row, const std::string& name) {
  for (const ProblemSettings& problem : row.problems)
    if (problem.name == name) return &problem;
  return nullptr;
}

namespace {

// Throws if a setting has the name of a key of a sweep's blocks (bench/sweep), where it could not be set.
void check_is_no_axis(const Setting& s, const Row& row) {
  for (const std::string axis :
       {"kernel", "solver", "problem", "grid", "precision", "backend", "device", "method", "parameters",
        "zip", "exclude", "include", "rank", "partition", "join", "grids_per_rank"})
    if (s.name == axis || s.name == axis + "s")
      throw std::logic_error(fmt::format("setting '{}' of {} has the name of a key of sweeps; rename it",
                                         s.declaration(), row_name(row)));
}

}  // namespace

void check_settings(const std::vector<Row>& rows) {
  std::map<std::string, const Setting*> known;  // first declaration by name
  for (const Row& row : rows) {
    for_each_setting(row, [&](const Setting& s) { check_is_no_axis(s, row); });
    std::vector<std::string> problems = {""};
    for (const ProblemSettings& problem : row.problems) problems.push_back(problem.name);
    for (const std::string& problem : problems) {
      std::vector<Setting> settings = row.space.settings, asked = workload_space(row, problem).settings;
      settings.insert(settings.end(), asked.begin(), asked.end());
      check_settings(settings);
    }
    for_each_setting(row, [&](const Setting& s) {
      const Setting& first = *known.try_emplace(s.name, &s).first->second;
      if (first.range.kind != s.range.kind)
        throw std::logic_error(fmt::format("two settings with the same name: '{}', and '{}' of {}",
                                           first.declaration(), s.declaration(), row_name(row)));
    });
  }
}

namespace {

void add_new(std::vector<Setting>& settings, const Setting& setting) {
  if (!find_setting(settings, setting.name)) settings.push_back(setting);
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// Returns "the problem cavity" or "the problems cavity, channel".
std::string named(const std::string& what, const std::vector<std::string>& names) {
  std::string text = what + (names.size() == 1 ? "" : "s");
  for (std::size_t n = 0; n < names.size(); ++n) text += (n == 0 ? " " : ", ") + names[n];
  return text;
}

}  // namespace

std::vector<Setting> workload_settings(const std::vector<Row>& rows, std::initializer_list<RowKind> kinds) {
  std::vector<Setting> settings;
  for (const Row& row : rows) {
    if (std::find(kinds.begin(), kinds.end(), row.kind) == kinds.end()) continue;
    for (const Setting& s : row.workload_settings) add_new(settings, s);
    for (const ProblemSettings& problem : row.problems)
      for (const Setting& s : problem.settings) add_new(settings, s);
  }
  return settings;
}

std::vector<Setting> solver_settings(const std::vector<Row>& rows) {
  std::vector<Setting> settings = workload_settings(rows, {RowKind::solver});
  for (const Row& row : rows)
    if (row.kind == RowKind::solver)
      for (const Setting& s : row.space.settings) add_new(settings, s);
  return settings;
}

std::string owners_text(const std::vector<Row>& rows, const std::string& setting, const std::string& name) {
  std::vector<std::string> problems, kernels, solvers, methods;
  for (const Row& row : rows) {
    for (const ProblemSettings& problem : row.problems)
      if (find_setting(problem.settings, setting)) add_once(problems, problem.name);
    const bool of_method = find_setting(row.space.settings, setting);
    if (of_method && row.name == name)
      add_once(methods, fmt::format("{}/{}", to_string(row.backend), row.method));
    if (of_method || find_setting(row.workload_settings, setting))
      add_once(row.kind == RowKind::kernel ? kernels : solvers, row.name);
  }
  if (!problems.empty()) return named("the problem", problems);
  if (!methods.empty()) return named("its method", methods);
  if (!solvers.empty() && !kernels.empty())
    return named("the kernel", kernels) + " and " + named("the solver", solvers);
  return !kernels.empty()  ? named("the kernel", kernels)
         : solvers.empty() ? ""
                           : named("the solver", solvers);
}

}  // namespace cfdmark
