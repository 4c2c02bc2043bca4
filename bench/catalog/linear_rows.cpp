#include "bench/catalog/linear_rows.hpp"

#include <algorithm>

#include "bench/catalog/solver_rows.hpp"

namespace cfdmark {
namespace {

constexpr Grid small_2d{2, 2}, small_3d{2, 2, 2};
constexpr Index largest_grid_with_error_history = 300'000;  // each check downloads the solution

std::function<LevelLookup(const Config&, DeviceId)>& level_lookup() {
  static std::function<LevelLookup(const Config&, DeviceId)> lookup = [](const Config&, DeviceId) {
    return LevelLookup();
  };
  return lookup;
}

class LinearWorkload final : public SolveWorkload<PreparedSolver> {
 public:
  LinearWorkload(const SolverDescription& solver, const SolverMethod& method, Backend& backend,
                 Precision precision, const Config& config, const Config& workload,
                 const std::shared_ptr<const LinearProblem>& problem, const LevelLookup& levels)
      : SolveWorkload(workload, solver, method, backend, precision, config, problem, levels.configs),
        problem_(problem),
        levels_(levels) {}

  Verification verify() override {
    const auto error = [this] { return solution_error(*problem_, prepared_.solution()).max; };
    const bool records_errors = problem_->grid.cells() <= largest_grid_with_error_history;
    Outcome& outcome = solve_described(records_errors ? error : std::function<double()>());
    const HostField u = prepared_.solution();
    for (NamedValue& result : results(*problem_, u)) outcome.results.push_back(std::move(result));
    return judge(u, "the claimed residual against b - A u in 64 bits");
  }
  std::size_t field_bytes() const override { return prepared_.field_bytes(); }

 private:
  void add_facts(nlohmann::json& facts) const override {
    if (levels_.found) facts["level_configs"] = levels_.found();
  }

  std::shared_ptr<const LinearProblem> problem_;
  LevelLookup levels_;
};

// Returns the shape of a system. Without a workload it is that of the problem with the most memory.
SystemShape shape_of(const Grid& g, Precision p, bool arrays) { return {g, !arrays, p}; }
SystemShape shape_of(const Grid& g, Precision p, const Config& workload) {
  const ProblemDescription& problem = find_problem(workload.choice("problem"));
  return {g, !has_arrays(problem), p, sides_of(problem)};
}

// Returns true if a method supports a dimension at all.
bool can(const SolverMethod& method, Precision p, const Grid& g) {
  return method.why_unsupported(shape_of(g, p, false)).empty() ||
         method.why_unsupported(shape_of(g, p, true)).empty();
}

Row linear_row(const SolverDescription& solver, BackendKind backend_kind, Precision p,
               const SolverMethod& method) {
  Row row = row_of_solver(solver.name, backend_kind, p, method, problem_table());
  row.in_2d = can(method, p, small_2d), row.in_3d = can(method, p, small_3d);
  if (row.unavailable.empty() && !row.in_2d && !row.in_3d)
    row.unavailable = method.why_unsupported(shape_of(small_2d, p, false));
  row.unsupported = [solver, method, p](const Grid& g, const Config& workload) {
    const ProblemDescription& problem = find_problem(workload.choice("problem"));
    if (const std::string reason = unsuitable_reason(problem, g); !reason.empty()) return reason;
    if (const std::string reason = refusal(solver, problem); !reason.empty()) return reason;
    return method.why_unsupported(shape_of(g, p, workload));
  };
  if (method.preferred)
    row.preferred = [method, p](const Grid& g, const Config& workload) {
      return method.preferred(shape_of(g, p, workload));
    };
  row.field_bytes = [method, backend_kind, p](const Grid& g, const Config& workload) {
    SystemShape shape = shape_of(g, p, true);
    if (!method.why_unsupported(shape).empty()) shape = shape_of(g, p, false);
    if (!method.why_unsupported(shape).empty()) return 0.0;
    if (workload.has("problem")) {  // decides the coarse grids
      const ProblemDescription& problem = find_problem(workload.choice("problem"));
      shape.sides.is_singular = is_singular(problem);
      shape.sides.periodic = periodic_axes(problem);
      if (!method.why_unsupported(shape).empty()) return 0.0;
    }
    return double(solver_bytes(method, backend_kind, shape, method.space.defaults()));
  };
  row.host_bytes = [method, p](const Grid& g, const Config&) {
    double problem = 0;
    for (const ProblemDescription& posed : problem_table())
      problem = std::max(problem, problem_bytes(posed, g));
    const double method_bytes = method.host_bytes ? method.host_bytes(shape_of(g, p, true)) : 0;
    // the stored initial guess, and the solution
    return problem + 2 * double(g.elements()) * sizeof(double) + method_bytes;
  };
  row.prepare = [solver, p, method](Backend& on, const Grid& g, const Config& config,
                                    const Config& workload) {
    return std::make_unique<LinearWorkload>(solver, method, on, p, config, workload,
                                            shared_problem(workload, g), level_lookup()(config, on.id()));
  };
  return row;
}

}  // namespace

std::shared_ptr<const LinearProblem> shared_problem(const Config& workload, const Grid& grid) {
  const auto make = [](const ProblemDescription& problem, const Grid& g, const Config& settings) {
    return make_problem(problem, g, settings);
  };
  return shared_problem_of("problem", find_problem(workload.choice("problem")), grid, workload, make);
}

const SolverDescription& solver_of(const Row& row) {
  const auto& table = solver_table();
  return *std::find_if(table.begin(), table.end(), [&](const auto& s) { return s.name == row.name; });
}
SolverMethod solver_method_of(const Row& row) { return method_of_row(solver_of(row), row); }

void set_level_lookup(std::function<LevelLookup(const Config&, DeviceId)> lookup) {
  level_lookup() = std::move(lookup);
}

void add_linear_rows(std::vector<Row>& rows) {
  add_rows_of_solvers(rows, solver_table(), "plain", linear_row);
}

}  // namespace cfdmark
