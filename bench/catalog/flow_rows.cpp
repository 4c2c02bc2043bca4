#include "bench/catalog/flow_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/catalog/solver_rows.hpp"
#include "solvers/flow/divergence.hpp"

namespace cfdmark {
namespace {

class FlowWorkload final : public SolveWorkload<PreparedFlow> {
 public:
  FlowWorkload(const FlowSolverDescription& solver, const FlowMethod& method, Backend& backend,
               Precision precision, const Config& config, const Config& workload,
               const std::shared_ptr<const FlowProblem>& problem)
      : SolveWorkload(workload, method, backend, precision, config, problem),
        solver_(solver),
        method_(method.name),
        config_(config),
        precision_(precision),
        problem_(problem),
        field_bytes_(flow_bytes(method, backend.kind(), precision, problem->grid, config)) {}

  Verification verify() override {
    Outcome& outcome = solve_described();
    const FlowFields flow = prepared_.solution();
    if (const auto found = find_divergence(prepared_, *problem_, outcome)) {
      Verification v;
      v.check = "that the flow stays finite, and slower than a hundred times what is expected";
      v.reason = fmt::format("diverged in iteration {}", found->last_good + 1);
      return v;
    }
    for (NamedValue& result : flow_results(*problem_, flow)) outcome.results.push_back(std::move(result));
    time_ = flow.time;
    found_ = flow_residuals(solver_, method_, config_, *problem_, flow);
    judgement_.emplace();
    judgement_->true_residual = std::max(found_.momentum, found_.mass);
    judgement_->converged = has_converged(outcome, found_, config_, tolerance_);
    return compare_residuals(outcome);
  }
  std::size_t field_bytes() const override { return field_bytes_; }

 private:
  void add_facts(nlohmann::json& facts) const override {
    if (judgement_ && config_.has("courant")) facts["inner_residual"] = found_.momentum_left;
    for (const PublishedValue& known : comparable_values(*problem_, config_, time_))
      facts["published"].push_back(
          {{"name", known.name}, {"value", known.value}, {"source", known.source}, {"time", known.time}});
  }

  static double claimed(const Outcome& outcome, const std::string& name) {
    for (const NamedValue& residual : outcome.residuals)
      if (residual.name == name) return residual.value;
    throw std::logic_error("a flow solver without a residual of " + name);
  }

  // The recomputed residuals must equal the solver's up to the rounding of each term.
  Verification compare_residuals(const Outcome& outcome) const {
    Verification v;
    v.check = "the residuals of momentum and mass in 64 bits on one core";
    const double unit = roundoff(precision_ == Precision::fp64 ? Precision::fp64 : Precision::fp32);
    const Grid& g = problem_->grid;
    const double momentum = claimed(outcome, "momentum"), mass = claimed(outcome, "continuity_residual");
    const double momentum_off = std::abs(found_.momentum - momentum), mass_off = std::abs(found_.mass - mass);
    v.max_error = std::max(momentum_off, mass_off);
    v.passed = momentum_off <= 0.1 * momentum + 16 * unit &&
               mass_off <= 0.1 * mass + 16 * unit * std::max({g.nx, g.ny, g.nz});  // false for NaN
    if (!v.passed)
      v.reason = fmt::format(
          "the solver reports residuals of {:.3g} (momentum) and {:.3g} (continuity), but they are {:.3g} "
          "and {:.3g}",
          momentum, mass, found_.momentum, found_.mass);
    return v;
  }

  FlowSolverDescription solver_;
  std::string method_;
  Config config_;
  Precision precision_;
  std::shared_ptr<const FlowProblem> problem_;
  std::size_t field_bytes_;
  FlowResiduals found_;
  double time_ = 0;  // simulated time of the solution
};

// Returns the settings of a flow problem from a workload.
Config settings_of(const FlowProblemDescription& problem, const Config& workload) {
  Config settings = TuningSpace{problem.settings}.defaults();
  settings.take_known(workload);
  return settings;
}

Row flow_row(const FlowSolverDescription& solver, BackendKind kind, Precision p, const FlowMethod& method) {
  Row row = row_of_solver(solver.name, kind, p, method, flow_problem_table());
  row.in_3d = solver.in_3d;
  for (Setting& asked : row.workload_settings)
    if (asked.name == "max_iterations") asked.default_value = solver.max_iterations;
  row.unsupported = [](const Grid& g, const Config& workload) {
    const FlowProblemDescription& problem = *find_flow_problem(workload.choice("problem"));
    return unsuitable_flow_grid(problem, settings_of(problem, workload), g);
  };
  row.field_bytes = [=](const Grid& g, const Config&) {
    return double(flow_bytes(method, kind, p, g, method.space.defaults()));
  };
  // The problem, the solution, and the copy used for verification.
  row.host_bytes = [](const Grid& g, const Config&) { return 10 * flow_problem_bytes(g); };
  row.prepare = [=](Backend& on, const Grid& g, const Config& config, const Config& workload) {
    return std::make_unique<FlowWorkload>(solver, method, on, p, config, workload, shared_flow(workload, g));
  };
  return row;
}

}  // namespace

std::shared_ptr<const FlowProblem> shared_flow(const Config& workload, const Grid& grid) {
  const auto make = [](const FlowProblemDescription& problem, const Grid& g, const Config& settings) {
    return make_flow_problem(problem, g, settings);
  };
  return shared_problem_of("flow", *find_flow_problem(workload.choice("problem")), grid, workload, make);
}

std::vector<PublishedValue> comparable_values(const FlowProblem& problem, const Config& config, double time) {
  std::vector<PublishedValue> known = published_values(problem, time);
  if (config.has("end_time") && config.real("end_time") > 0)
    std::erase_if(known, [](const PublishedValue& value) { return value.time == 0; });
  // Published Nusselt numbers exclude turbulent transport.
  if (config.has("eddy_viscosity") && !config.is("eddy_viscosity", "none"))
    std::erase_if(known, [](const PublishedValue& value) { return value.name.starts_with("nusselt"); });
  return known;
}

FlowMethod flow_method_of(const Row& row) { return method_of_row(*find_flow_solver(row.name), row); }

void add_flow_rows(std::vector<Row>& rows) {
  add_rows_of_solvers(rows, flow_solver_table(), "rhie_chow", flow_row);
}

}  // namespace cfdmark
