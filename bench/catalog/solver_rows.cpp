#include "bench/catalog/solver_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "bench/case/case.hpp"
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/not_built.hpp"
#include "bench/catalog/solve_workload.hpp"
#include "solvers/families.hpp"

namespace cfdmark {
namespace {

std::function<LevelLookup(const Config&, DeviceId)>& level_lookup() {
  static std::function<LevelLookup(const Config&, DeviceId)> lookup = [](const Config&, DeviceId) {
    return LevelLookup();
  };
  return lookup;
}

// Returns "solvers/linear/krylov/cg.cpp" from a source location, or the folder of a family from outside;
// empty for the row of a backend that is not available.
std::string solver_file(const Family& family, SourcePlace where) {
  const std::string file = where.file;
  const auto begin = file.rfind("/solvers/");
  if (begin != std::string::npos) return file.substr(begin + 1);
  return file.starts_with("solvers/") ? file : family.name;
}

// Returns the settings of every solve with the limit of this solver.
std::vector<Setting> settings_of_a_solve(const FamilySolver& solver) {
  std::vector<Setting> settings = solve_settings();
  for (Setting& setting : settings)
    if (setting.name == "max_iterations") setting.default_value = solver.max_iterations;
  return settings;
}

template <class Result>
std::function<Result(const Domain&, const Config&)> in_precision(
    Precision p, const std::function<Result(const CaseShape&)>& f) {
  if (!f) return nullptr;
  return [p, f](const Domain& domain, const Config& workload) { return f({domain, p, workload}); };
}

Row solver_row(const Family& family, const FamilySolver& solver, const FamilyMethod& method, BackendKind kind,
               Precision p) {
  Row row;
  row.kind = RowKind::solver;
  row.name = solver.name;
  row.family = &family;
  row.backend = kind;
  row.precision = p;
  row.method = method.name;
  row.space = method.space;
  row.source = solver_file(family, method.described_at);
  row.workload_settings = settings_of_a_solve(solver);
  for (const FamilyProblem& problem : family.problems)
    row.problems.push_back({problem.name, problem.settings});
  row.runs_on = family.runs_on;
  row.unavailable = unavailable_reason(kind, p);
  if (method.unsupported_dimension) {
    const std::string not_2d = method.unsupported_dimension(2, p),
                      not_3d = method.unsupported_dimension(3, p);
    row.in_2d = not_2d.empty(), row.in_3d = not_3d.empty();
    if (row.unavailable.empty() && !row.in_2d && !row.in_3d) row.unavailable = not_2d;
  }
  row.unsupported = in_precision(p, method.unsupported);
  row.preferred = in_precision(p, method.preferred);
  row.field_bytes = in_precision(p, method.field_bytes);
  row.host_bytes = in_precision(p, method.host_bytes);
  row.prepare_solve = [p, prepare = method.prepare](Backend& on, const Config& config,
                                                    std::shared_ptr<const Problem> problem,
                                                    const LevelConfigs& levels) {
    return prepare(on, p, config, std::move(problem), levels);
  };
  row.prepare = [&family, p, prepare = method.prepare](Backend& on, const Domain& domain,
                                                       const Config& config, const Config& workload) {
    LevelLookup levels = level_lookup()(config, on.id());
    const auto problem = shared_problem(family, domain, workload);
    auto prepared = prepare(on, p, config, problem, levels.configs);
    return std::make_unique<SolveWorkload>(std::move(prepared), problem, workload, std::move(levels));
  };
  return row;
}

}  // namespace

std::shared_ptr<const Problem> shared_problem(const Family& family, const Domain& domain,
                                              const Config& workload) {
  const FamilyProblem& problem = *find_problem(family, workload.choice("problem"));
  const Config settings = problem_settings(problem, workload);
  // The family distinguishes problems of one name.
  const std::string key =
      fmt::format("{} {} {} {}", family.name, problem.name, domain.text(), settings.text());
  return *keep_problem(key, [&] { return problem.make(domain, settings); });
}

void set_level_lookup(std::function<LevelLookup(const Config&, DeviceId)> lookup) {
  level_lookup() = std::move(lookup);
}

void add_solver_rows(std::vector<Row>& rows) {
  for (const Family& family : families())
    for (const FamilySolver& solver : family.solvers)
      for (BackendKind kind : all_backends) {
        const std::vector<FamilyMethod> methods = solver.methods(kind), none = {solver.absent};
        for (Precision p : all_precisions)
          for (const FamilyMethod& method : is_not_built(methods, kind, p) ? none : methods)
            rows.push_back(solver_row(family, solver, method, kind, p));
      }
}

}  // namespace cfdmark
