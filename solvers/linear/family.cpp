#include "solvers/linear/family.hpp"

#include <algorithm>

#include "solvers/linear/device_parts.hpp"
#include "solvers/linear/ranked_method.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

SystemShape system_shape(const CaseShape& shape, bool arrays) {
  return {shape.grid(), !arrays, shape.precision, {}};
}
const ProblemDescription& problem_of(const CaseShape& shape) {
  return find_problem(shape.workload.choice("problem"));
}
SystemShape system_shape(const CaseShape& shape) {
  const ProblemDescription& problem = problem_of(shape);
  return {shape.grid(), !has_arrays(problem), shape.precision, sides_of(problem)};
}

std::string unsupported_dimension(const SolverMethod& method, int dims, Precision p) {
  const Grid small = dims == 3 ? Grid{2, 2, 2} : Grid{2, 2};
  const std::string reason = method.why_unsupported({small, true, p, {}});
  return method.why_unsupported({small, false, p, {}}).empty() ? "" : reason;
}

std::string unsupported(const SolverDescription& solver, const SolverMethod& method, const CaseShape& shape) {
  const ProblemDescription& problem = problem_of(shape);
  if (std::string reason = unsuitable_reason(problem, shape.grid()); !reason.empty()) return reason;
  if (std::string reason = refusal(solver, problem); !reason.empty()) return reason;
  return method.why_unsupported(system_shape(shape));
}

// Returns 0 if the method supports no such system.
double field_bytes(const SolverMethod& method, BackendKind kind, const CaseShape& asked) {
  SystemShape shape = system_shape(asked, true);
  if (!method.why_unsupported(shape).empty()) shape = system_shape(asked, false);
  if (asked.workload.has("problem")) {  // decides the coarse grids
    shape.sides.is_singular = is_singular(problem_of(asked));
    shape.sides.periodic = periodic_axes(problem_of(asked));
  }
  if (!method.why_unsupported(shape).empty()) return 0;
  return double(solver_bytes(method, kind, shape, method.space.defaults()));
}

double host_bytes(const SolverMethod& method, const CaseShape& shape) {
  double problem = 0;
  for (const ProblemDescription& posed : problem_table())
    problem = std::max(problem, problem_bytes(posed, shape.grid()));
  const double of_method = method.host_bytes ? method.host_bytes(system_shape(shape, true)) : 0;
  // the stored initial guess, and the solution
  return problem + 2 * double(Layout(shape.grid()).elements) * sizeof(double) + of_method;
}

FamilyMethod family_method_on_ranks(const SolverDescription& solver, const SolverMethod& method,
                                    FamilyMethod one, const RankSetup& setup) {
  const auto field_bytes = one.field_bytes;
  const SolverMethod ranked = on_ranks(method, setup);
  one.space = ranked.space;
  one.unsupported = [=](const CaseShape& shape) {
    const std::string reason = unsupported(solver, ranked, shape);
    return reason.empty() ? partition_refusal(shape.grid(), setup, shape.grid().halo) : reason;
  };
  // The parts have the memory of one rank, and the whole system is kept too.
  one.field_bytes = [=](const CaseShape& shape) { return 2 * field_bytes(shape); };
  one.prepare = [=](Backend& on, Precision p, const Config& config,
                    const std::shared_ptr<const Problem>& posed, const LevelConfigs& levels) {
    return ranked_solve(solver, method, setup, on, p, config, as<LinearProblem>(posed), levels);
  };
  return one;
}

FamilyMethod family_method(const SolverDescription& solver, const SolverMethod& method, BackendKind kind) {
  FamilyMethod m{method.name, method.space, method.described_at};
  m.unsupported_dimension = [=](int dims, Precision p) { return unsupported_dimension(method, dims, p); };
  m.unsupported = [=](const CaseShape& shape) { return unsupported(solver, method, shape); };
  if (method.preferred)
    m.preferred = [=](const CaseShape& shape) { return method.preferred(system_shape(shape)); };
  m.field_bytes = [=](const CaseShape& shape) { return field_bytes(method, kind, shape); };
  m.host_bytes = [=](const CaseShape& shape) { return host_bytes(method, shape); };
  m.prepare = [=](Backend& on, Precision p, const Config& config, const std::shared_ptr<const Problem>& posed,
                  const LevelConfigs& levels) {
    return std::make_unique<PreparedSolver>(solver, method, on, p, config, as<LinearProblem>(posed), levels);
  };
  m.on_ranks = [=](const RankSetup& setup) {
    return family_method_on_ranks(solver, on_ranks_of(kind, method, setup), m, setup);
  };
  return m;
}

FamilySolver family_solver(const SolverDescription& solver) {
  FamilySolver s;
  s.name = solver.name;
  s.methods = [solver](BackendKind kind) {
    std::vector<FamilyMethod> methods;
    for (const SolverMethod& m : solver.methods(kind)) methods.push_back(family_method(solver, m, kind));
    return methods;
  };
  s.absent = family_method(solver, {"plain", {}, nullptr}, BackendKind::serial);
  s.is_slow = solver.is_slow;
  return s;
}

FamilyProblem family_problem(const ProblemDescription& problem) {
  FamilyProblem p;
  p.name = problem.name, p.help = problem.help, p.settings = problem.settings;
  p.make = [&problem](const Domain& domain, const Config& settings) {
    return std::make_shared<const LinearProblem>(make_problem(problem, domain.box(), settings));
  };
  p.usual_solver = p.usual_solver_3d = "cg";
  p.usual_grid = "257x257";
  return p;
}

}  // namespace

Family linear_family() {
  Family family{"linear", {}, {}};
  for (const SolverDescription& solver : solver_table()) family.solvers.push_back(family_solver(solver));
  for (const ProblemDescription& problem : problem_table())
    family.problems.push_back(family_problem(problem));
  return family;
}

}  // namespace cfdmark
