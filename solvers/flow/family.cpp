#include "solvers/flow/family.hpp"

#include "solvers/flow/ranked_flow.hpp"
#include "solvers/flow/table.hpp"

namespace cfdmark {
namespace {

// The problem, the solution, and the copy used for verification.
constexpr double host_copies = 10;

std::string unsupported(const CaseShape& shape) {
  const FlowProblemDescription& problem = *find_flow_problem(shape.workload.choice("problem"));
  return unsuitable_flow_grid(problem, TuningSpace{problem.settings}.filled(shape.workload), shape.grid());
}

// A solve copies the whole flow to the parts and the answer back.
FamilyMethod family_method_on_ranks(const FlowSolverDescription& solver, const FlowMethod& method,
                                    FamilyMethod one, const RankSetup& setup) {
  const auto field_bytes = one.field_bytes;
  one.space = on_flow_ranks(method, setup).space;
  one.unsupported = [setup](const CaseShape& asked) {
    const std::string reason = unsupported(asked);
    return reason.empty() ? partition_refusal(asked.grid(), setup, asked.grid().halo) : reason;
  };
  // The parts have the memory of one rank, and the whole flow is kept too.
  one.field_bytes = [field_bytes](const CaseShape& asked) { return 2 * field_bytes(asked); };
  one.prepare = [=](Backend& on, Precision p, const Config& config,
                    const std::shared_ptr<const Problem>& posed, const LevelConfigs&) {
    const auto access = std::make_shared<RankAccess>();
    const FlowMethod made = on_flow_ranks(method, setup, access);
    auto whole = std::make_unique<PreparedFlow>(solver, made, on, p, config, as<FlowProblem>(posed));
    access->complete = [flow = whole.get()](Outcome& outcome) { flow->complete(outcome); };
    return std::make_unique<RankedSolve>(std::move(whole), access, setup);
  };
  return one;
}

FamilyMethod family_method(const FlowSolverDescription& solver, const FlowMethod& method, BackendKind kind) {
  FamilyMethod m{method.name, method.space, method.described_at};
  m.unsupported_dimension = [solver](int dims, Precision) {
    return dims == 3 && !solver.in_3d ? solver.name + " is 2-D only" : "";
  };
  m.unsupported = unsupported;
  m.field_bytes = [=](const CaseShape& shape) {
    const bool has_wall_distances = shape.workload.has("surface") && has_true_walls(shape.workload);
    return double(
        flow_bytes(method, kind, shape.precision, shape.grid(), method.space.defaults(), has_wall_distances));
  };
  m.host_bytes = [](const CaseShape& shape) { return host_copies * flow_problem_bytes(shape.grid()); };
  m.prepare = [=](Backend& on, Precision p, const Config& config, const std::shared_ptr<const Problem>& posed,
                  const LevelConfigs&) {
    return std::make_unique<PreparedFlow>(solver, method, on, p, config, as<FlowProblem>(posed));
  };
  m.on_ranks = [=](const RankSetup& setup) {
    return family_method_on_ranks(solver, on_flow_ranks_of(kind, method, setup), m, setup);
  };
  return m;
}

FamilySolver family_solver(const FlowSolverDescription& solver) {
  FamilySolver s;
  s.name = solver.name;
  s.methods = [solver](BackendKind kind) {
    std::vector<FamilyMethod> methods;
    for (const FlowMethod& m : solver.methods(kind)) methods.push_back(family_method(solver, m, kind));
    return methods;
  };
  s.absent = family_method(solver, {"rhie_chow", {}, nullptr}, BackendKind::serial);
  s.max_iterations = solver.max_iterations;
  s.is_slow = true;
  return s;
}

FamilyProblem family_problem(const FlowProblemDescription& problem) {
  FamilyProblem p;
  p.name = problem.name, p.help = problem.help, p.settings = problem.settings;
  p.make = [&problem](const Domain& domain, const Config& settings) {
    return std::make_shared<const FlowProblem>(make_flow_problem(problem, domain.box(), settings));
  };
  p.usual_solver = problem.solver, p.usual_solver_3d = "projection";
  // Even numbers of cells, as red-black iterations across periodic sides require.
  p.usual_grid = problem.in_2d ? "256x256" : "32x32x32";
  p.grid_warning = [&problem](const Grid& g) { return grid_warning(problem, g); };
  return p;
}

}  // namespace

Family flow_family() {
  Family family;
  family.name = "flow";
  family.tuned_by_name_only = true;
  for (const FlowSolverDescription& solver : flow_solver_table())
    family.solvers.push_back(family_solver(solver));
  for (const FlowProblemDescription& problem : flow_problem_table())
    family.problems.push_back(family_problem(problem));
  return family;
}

}  // namespace cfdmark
