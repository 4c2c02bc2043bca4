#include "solvers/block/family.hpp"

#include "solvers/block/table.hpp"

namespace cfdmark {
namespace {

// The problem, its stored matrices, b, and the solution with its residual.
constexpr double host_copies = 2.5;

FamilyMethod family_method(const BlockMethod& method, BackendKind kind) {
  FamilyMethod m{method.name, method.space, method.described_at};
  m.unsupported_dimension = [](int dims, Precision) {
    return dims == 2 ? unsuitable_block_grid(Grid{2, 2}) : "";
  };
  if (method.preferred)
    m.preferred = [method](const CaseShape& shape) {
      return method.preferred(shape.grid(), shape.precision);
    };
  m.field_bytes = [=](const CaseShape& shape) {
    return double(block_solver_bytes(method, kind, shape.precision, shape.grid(), method.space.defaults()));
  };
  m.host_bytes = [](const CaseShape& shape) { return host_copies * block_problem_bytes(shape.grid()); };
  m.prepare = [method](Backend& on, Precision p, const Config& config,
                       const std::shared_ptr<const Problem>& posed, const LevelConfigs&) {
    return std::make_unique<PreparedBlocks>(method, on, p, config, as<BlockProblem>(posed));
  };
  return m;
}

FamilySolver family_solver(const BlockSolverDescription& solver) {
  FamilySolver s;
  s.name = solver.name;
  s.methods = [solver](BackendKind kind) {
    std::vector<FamilyMethod> methods;
    for (const BlockMethod& m : solver.methods(kind)) methods.push_back(family_method(m, kind));
    return methods;
  };
  s.absent = family_method({"plain", {}, nullptr}, BackendKind::serial);
  return s;
}

FamilyProblem family_problem(const BlockProblemDescription& problem) {
  FamilyProblem p;
  p.name = problem.name, p.help = problem.help, p.settings = problem.settings;
  p.make = [&problem](const Domain& domain, const Config& settings) {
    return std::make_shared<const BlockProblem>(make_block_problem(problem, domain.box(), settings));
  };
  p.usual_solver = p.usual_solver_3d = block_solver_names().front();
  p.usual_grid = "24x10x16";
  return p;
}

}  // namespace

Family block_family() {
  Family family{"block", {}, {}};
  for (const BlockSolverDescription& solver : block_solver_table())
    family.solvers.push_back(family_solver(solver));
  for (const BlockProblemDescription& problem : block_problem_table())
    family.problems.push_back(family_problem(problem));
  return family;
}

}  // namespace cfdmark
