#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "bench/case/case.hpp"
#include "bench/ranks/rank_process.hpp"
#include "bench/solve/flow_files.hpp"
#include "bench/solve/flow_series.hpp"
#include "bench/solve/saved_flow_file.hpp"
#include "bench/solve/solve_view.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "solvers/base/ranked_solve.hpp"
#include "solvers/flow/divergence.hpp"

namespace cfdmark {
namespace {

// Prints the residuals at most twice a second, and the last ones.
class LiveResiduals {
 public:
  void operator()(const Outcome& so_far) {
    if (so_far.iterations == 0) print_names(so_far);
    const auto now = std::chrono::steady_clock::now();
    if (so_far.iterations > 0 && now - last_ < std::chrono::milliseconds(500)) return;
    last_ = now;
    print(so_far);
  }
  void print(const Outcome& so_far) {
    if (so_far.iterations == printed_) return;
    printed_ = so_far.iterations;
    fmt::print("  {:9}", so_far.iterations);
    for (const NamedValue& residual : so_far.residuals) fmt::print("   {:>10.3e}", residual.value);
    fmt::print("\n");
    std::fflush(stdout);
  }

 private:
  static void print_names(const Outcome& so_far) {
    fmt::print("\n  iteration");
    for (const NamedValue& residual : so_far.residuals) fmt::print("   {:>10}", residual.name);
    fmt::print("\n");
  }

  std::chrono::steady_clock::time_point last_;
  int printed_ = -1;
};

// Returns settings for a flow whose cells are too large for central convection; empty if they are not, or if
// another scheme was chosen.
std::string finer_settings(const SolveCase& asked, const FlowProblem& problem) {
  constexpr double most = 2;
  const double peclet = cell_peclet_number(problem);
  if (!asked.config.is("convection", "central") || peclet <= most) return "";
  std::string schemes;
  for (const std::string& word : find_setting(asked.row->space.settings, "convection")->words)
    if (word != "central") schemes += (schemes.empty() ? "" : " or ") + word;
  const Grid& g = problem.grid;
  const double finer = peclet / most;
  const std::string grid = grid_of_units(g.nx * finer, g.ny * finer, problem.description->grid_unit) +
                           (g.is_3d() ? fmt::format("x{:.0f}", std::ceil(g.nz * finer)) : "");
  const bool is_possible = std::max({g.nx, g.ny, g.nz}) * finer <= longest_side;
  return fmt::format("--set convection={}{}", schemes, is_possible ? ", or --grid " + grid : "");
}

// Returns advice for a steady flow whose residual has stagnated: more accurate inner solves. Only for fp64,
// since in fp32 rounding may be the cause.
std::string advice_on(const SolveCase& asked, const Outcome& outcome) {
  const auto& history = outcome.history;
  if (!asked.config.has("velocity_relaxation") || history.size() < 8 ||
      asked.row->precision != Precision::fp64 ||
      history.back().second < 0.5 * history[history.size() / 2].second)
    return "";
  return "  The residual has stagnated: try --set momentum_sweeps=20, --set pressure_solver=multigrid --set "
         "pressure_sweeps=4,\n  or --set convection=upwind. If the flow is not steady, use --solver piso\n";
}

// Prints where a flow diverged, and settings that may help.
void print_divergence(const SolveCase& asked, const FlowProblem& problem, const Divergence& found) {
  fmt::print(
      "\n  DIVERGED in iteration {}: reduce {}{}\n", found.last_good + 1,
      asked.config.has("courant")        ? "courant"
      : asked.config.has("stable_share") ? "stable_share"
                                         : "velocity_relaxation, pressure_relaxation",
      asked.config.is("pressure_solver", "sor")
          ? " or pressure_omega, increase pressure_sweeps,\n  or use --set pressure_solver=multigrid --set "
            "pressure_sweeps=2"
          : "");
  if (const std::string wanted = finer_settings(asked, problem); !wanted.empty())
    fmt::print("  or change the scheme or the grid for the cell Peclet number of {:.3g}: {}\n",
               cell_peclet_number(problem), wanted);
  if (found.last_good == 0) return;
  const bool is_3d = problem.grid.is_3d();
  double fastest = -1;
  int at_i = 0, at_j = 0, at_k = 0;
  for_each_cell(problem.grid, false, [&](int i, int j, int k) {
    const double speed = std::hypot(found.flow.u.get(i, j, k), found.flow.v.get(i, j, k),
                                    is_3d ? found.flow.w.get(i, j, k) : 0);
    if (speed > fastest) fastest = speed, at_i = i, at_j = j, at_k = k;
  });
  const Centre centre(problem.cell, at_i, at_j);
  fmt::print(
      "  In the last valid state the velocity is largest at x = {:.4g}, y = {:.4g}{}, in cell ({}, {}{}): "
      "{:.4g}\n",
      centre.x, centre.y, is_3d ? fmt::format(", z = {:.4g}", (at_k + 0.5) * problem.cell.dz) : "", at_i,
      at_j, is_3d ? fmt::format(", {}", at_k) : "", fastest);
}

// PISO: each iteration is a time step, and the residual of its inner solves is an error of the result.
bool in_time_steps(const SolveCase& asked) { return asked.config.has("courant"); }

void print_inner_residual(double left) {
  fmt::print("  inner residual of momentum        {:.3e}   (remaining after a step)\n", left);
  if (!(left <= most_momentum_left))  // a NaN too
    fmt::print(
        "  warning: a time step leaves more than {:g} of its momentum residual, and the error grows on "
        "finer\n"
        "  grids: remove momentum_sweeps and momentum_tolerance, or set more sweeps\n",
        most_momentum_left);
}

// Warns if the steps leave the pressure unsolved: forces then depend on what remains.
void warn_of_lost_mass(double continuity) {
  constexpr double most = 1e-2;  // share of the flow through the domain
  if (!(continuity <= most))     // a NaN too
    fmt::print(
        "  warning: cells lose more than {:g} of the flow through the domain, so that forces are wrong: set "
        "more\n"
        "  pressure_sweeps, such as --set pressure_sweeps=20\n",
        most);
}

double named(const std::vector<NamedValue>& values, const char* name) {
  for (const NamedValue& value : values)
    if (value.name == name) return value.value;
  return 0;
}

// Prints the results. The uncertainty of the Strouhal number is in the line of its value.
void print_results(const std::vector<NamedValue>& results, const Judgement& judgement) {
  for (const NamedValue& result : results) {
    if (result.name == "strouhal_uncertainty" || result.name == "shedding_periods") continue;
    const std::string scatter =
        result.name == "strouhal_number"
            ? fmt::format("   ± {:.1e}, the standard error of {:g} periods",
                          named(results, "strouhal_uncertainty"), named(results, "shedding_periods"))
            : "";
    print_value(result, scatter + published_note(judgement.published, result));
  }
}

void print_answer(const SolveCase& asked, const TimedSolve& timed, double flow_time,
                  const Judgement& judgement, const std::string& no_shedding) {
  const Outcome& outcome = timed.outcome;
  if (judgement.converged && asked.config.has("end_time") && asked.config.real("end_time") > 0)
    fmt::print("\n  reached the end time after {} time step{}\n", outcome.iterations,
               outcome.iterations == 1 ? "" : "s");
  else
    print_end(outcome, judgement.converged, asked.tolerance(), "iterations");
  if (!judgement.converged) fmt::print("{}", advice_on(asked, outcome));
  fmt::print("  momentum                          {:.3e}   (in fp64 on one core)\n",
             judgement.residuals.at(0).value);
  fmt::print("  continuity residual               {:.3e}   (likewise)\n", judgement.residuals.at(1).value);
  if (flow_time > 0)
    fmt::print("  flow time                         {:.6g}{}\n", flow_time,
               !in_time_steps(asked) ? ""
               : asked.row->method == "second_order"
                   ? "   (steps of second order: half of --courant quarters "
                     "their error)"
                   : "   (steps of first order: half of --courant halves "
                     "their error)");
  if (in_time_steps(asked)) {
    print_inner_residual(judgement.facts.at(0).value);
    warn_of_lost_mass(judgement.residuals.at(1).value);
  }
  print_results(outcome.results, judgement);
  if (!no_shedding.empty() && asked.config.real("end_time") > 0)
    fmt::print("  no Strouhal number: {}\n", no_shedding);
  print_time(timed, "iteration");
}

// Prints the flow up to its last good iteration, and writes its files.
int end_diverged(const SolveCase& asked, const FlowProblem& problem, const Outcome& outcome,
                 const ResidualHistory& residuals, const Divergence& found) {
  print_divergence(asked, problem, found);
  if (found.last_good == 0) return exit_went_wrong;
  SolveCase of_good = asked;
  of_good.title += fmt::format(", before it diverged in iteration {}", found.last_good + 1);
  const int written = write_flow_files(of_good, problem, outcome, residuals, found.flow);
  return written == exit_ok ? exit_went_wrong : exit_cannot_write;
}

void print_warnings(const SolveCase& asked, const FlowProblem& problem) {
  if (const std::string wanted = finer_settings(asked, problem); !wanted.empty())
    fmt::print(
        "cell Peclet number up to {:.3g}: above 2 central convection may oscillate, or diverge; if so, try "
        "{}\n",
        cell_peclet_number(problem), wanted);
  if (const std::string warning = grid_warning(*problem.description, problem.grid); !warning.empty())
    fmt::print("{}\n", warning);
}

class FlowView final : public SolveView {
 public:
  using SolveView::SolveView;

  std::vector<std::string> plotted_files(const std::string& prefix) const override {
    std::vector<std::string> files = {prefix + ".json", prefix + "-history.png", prefix + "-flow.png"};
    if (asked_.workload.is("problem", "cavity")) files.push_back(prefix + "-profiles.png");
    return files;
  }
  const char* plot_script() const override { return "plot-flow"; }
  std::string vtk_ending() const override { return ".vti"; }

  std::shared_ptr<const Problem> problem() override {
    problem_ = asked_.body ? around(*asked_.body) : as<FlowProblem>(SolveView::problem());
    if (!asked_.restart.empty()) problem_ = continued(*problem_);
    return problem_;
  }
  bool has_series() const override { return true; }
  void before() override {
    print_warnings(asked_, *problem_);
    if (asked_.series.any()) series_.emplace(asked_, *problem_);
    if (const int interval = asked_.config.integer("check_interval"); asked_.save_every % interval != 0)
      throw std::invalid_argument(
          fmt::format("--save-every {} is not a multiple of check_interval={}: change one of them",
                      asked_.save_every, interval));
  }
  bool is_live() const override { return true; }
  void check(PreparedSolve& prepared, const Outcome& so_far) override {
    live_(so_far);
    residuals_.emplace_back(so_far.iterations, so_far.residuals);
    auto& flow = dynamic_cast<PreparedFlow&>(whole_solve(prepared));
    if (series_) series_->add(flow, so_far);
    if (asked_.save_every > 0 && so_far.iterations > 0 && so_far.iterations % asked_.save_every == 0)
      save(flow, so_far.iterations);
  }

  Judgement judge(PreparedSolve& prepared, Outcome& outcome) override {
    live_.print(outcome);
    auto& flow = dynamic_cast<PreparedFlow&>(whole_solve(prepared));
    flow_ = flow.solution();
    no_shedding_ = flow.no_shedding();
    diverged_ = find_divergence(flow, *problem_, outcome);
    return diverged_ ? Judgement() : SolveView::judge(prepared, outcome);
  }
  std::optional<int> print(const TimedSolve& timed, const Judgement& judgement) override {
    if (diverged_) return end_diverged(asked_, *problem_, timed.outcome, residuals_, *diverged_);
    print_answer(asked_, timed, flow_.time, judgement, no_shedding_);
    if (series_) series_->print();
    return {};
  }
  int write_files(PreparedSolve& prepared, const Outcome& outcome) override {
    if (asked_.process && !asked_.process->is_first()) return exit_ok;
    if (!asked_.save.empty()) {
      save(dynamic_cast<PreparedFlow&>(whole_solve(prepared)), outcome.iterations);
      fmt::print("{}\n", printable(asked_.save));
    }
    const auto means = series_ ? series_->means() : std::nullopt;
    return write_flow_files(asked_, *problem_, outcome, residuals_, flow_, means ? &*means : nullptr);
  }

 private:
  // Returns the flow with the state from which it continues.
  std::shared_ptr<const FlowProblem> continued(const FlowProblem& problem) const {
    auto flow = std::make_shared<ContinuedFlow>();
    static_cast<FlowProblem&>(*flow) = problem;
    flow->saved = read_saved_flow(asked_.restart, asked_, problem);
    if (flow->saved.time > 0)
      fmt::print("continued from time {:g}, after {} time steps\n", flow->saved.time, flow->saved.iterations);
    else
      fmt::print("continued after {} iterations\n", flow->saved.iterations);
    return flow;
  }
  void save(PreparedFlow& flow, int iterations) const {
    write_saved_flow(asked_.save, asked_, *problem_, flow.save(iterations));
  }
  std::shared_ptr<const FlowProblem> around(const DrawnBody& body) const {
    const std::string& name = asked_.workload.choice("problem");
    const Config settings = problem_settings(*find_problem(*asked_.row->family, name), asked_.workload);
    return std::make_shared<FlowProblem>(tunnel_around(body, asked_.domain.box(), settings, name));
  }

  std::shared_ptr<const FlowProblem> problem_;
  LiveResiduals live_;
  ResidualHistory residuals_;
  std::optional<FlowSeries> series_;
  std::string no_shedding_;
  FlowFields flow_;
  std::optional<Divergence> diverged_;
};

}  // namespace

std::unique_ptr<SolveView> flow_view(const SolveCase& asked) { return std::make_unique<FlowView>(asked); }

}  // namespace cfdmark
