#include "solvers/base/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/base/convergence.hpp"

namespace cfdmark {
namespace {

// Limits of stall detection. Above this residual, relative to the first, a Krylov method may be on a plateau.
constexpr double least_gain = 0.1;
constexpr int least_checks = 20;  // without a smaller residual
constexpr double smaller = 0.99;

int interval_of(const Config& config) {
  return config.has("check_interval") ? config.integer("check_interval") : std::numeric_limits<int>::max();
}

}  // namespace

Solver::Solver(Backend& backend, std::unique_ptr<Iteration> iteration, const Config& config,
               const RoutineClock* clock)
    : iteration_(std::move(iteration)),
      clock_(clock),
      check_interval_(std::min(interval_of(config), iteration_->longest_interval())),
      // Graphs must fill the iterations between two checks (graph_constraint), so a shorter interval disables
      // them.
      recorded_iterations_(check_interval_ < interval_of(config) ? 1 : graph_iterations(config)),
      recorded_(backend, [this] { iteration_->advance(recorded_iterations_, 0); }) {}

Outcome Solver::solve(double tolerance, int max_iterations) {
  Outcome outcome;
  iteration_->start();
  const std::vector<NamedValue> start = iteration_->residuals();
  std::vector<NamedValue> first = start;
  if (iteration_->residuals_are_shares())
    for (NamedValue& residual : first) residual.value = 1;
  check(outcome, first, start);
  const bool has_end = iteration_->final_iteration() < std::numeric_limits<int>::max();
  const auto most = [&] { return std::min(max_iterations, iteration_->final_iteration()); };
  const auto is_there = [&] {
    return has_end ? outcome.iterations == iteration_->final_iteration() &&
                         std::isfinite(outcome.relative_residual)
                   : outcome.relative_residual <= tolerance;
  };
  while (!(outcome.converged = is_there()) && outcome.iterations < most() && may_go_on(outcome)) {
    outcome.iterations += advance(most() - outcome.iterations, tolerance / outcome.relative_residual);
    check(outcome, first, iteration_->residuals());
  }
  iteration_->finish();
  outcome.cost =
      iteration_->cost(outcome.iterations) + double(outcome.history.size()) * iteration_->check_cost();
  if (clock_ && clock_->is_on())
    outcome.routines = clock_->times(), outcome.level_times = clock_->level_times();
  return outcome;
}

bool Solver::may_go_on(const Outcome& so_far) const {
  const double limit = iteration_->residuals_are_shares() ? std::numeric_limits<double>::max()
                                                          : iteration_->highest_residual();
  return so_far.relative_residual <= limit && !iteration_->has_stalled() &&  // false for NaN
         !(ends_when_stalled && has_stalled(so_far));
}

// Returns true if the smallest residual has not fallen by 1 % for as many checks as led to it, and for at
// least least_checks.
bool Solver::has_stalled(const Outcome& so_far) const {
  double smallest = std::numeric_limits<double>::infinity();
  std::size_t at = 0;
  for (std::size_t n = 0; n < so_far.history.size(); ++n)
    if (so_far.history[n].second < smaller * smallest) smallest = so_far.history[n].second, at = n;
  const std::size_t since = so_far.history.size() - 1 - at;
  return smallest <= least_gain && since >= std::max<std::size_t>(at, least_checks);
}

// Iterates up to the next residual check. A solve that is timed by routine uses no graphs, since these hide
// the routines.
int Solver::advance(int most, double reduction) {
  const int steps = std::min(check_interval_, most);
  const bool records = recorded_iterations_ > 1 && !(clock_ && clock_->is_on());
  const int graphs = records ? steps / recorded_iterations_ : 0;
  for (int n = 0; n < graphs; ++n) recorded_();
  const int by_graphs = graphs * recorded_iterations_;
  return by_graphs + iteration_->advance(steps - by_graphs, reduction);
}

void Solver::check(Outcome& outcome, const std::vector<NamedValue>& first,
                   std::vector<NamedValue> now) const {
  double largest = 0;
  for (std::size_t n = 0; n < now.size(); ++n) {
    double& value = now[n].value;
    // A first residual that overflows cannot scale the later ones.
    value = first[n].value == 0 ? 0 : std::isinf(first[n].value) ? NAN : value / first[n].value;
    if (value > largest || std::isnan(value)) largest = value;  // a NaN stays
  }
  outcome.relative_residual = largest;
  outcome.residuals = std::move(now);
  outcome.results = iteration_->results();
  if (!outcome.results.empty()) outcome.result_history.emplace_back(outcome.iterations, outcome.results);
  outcome.history.emplace_back(outcome.iterations, largest);
  if (!on_check) return;
  iteration_->store();
  on_check(outcome);
}

}  // namespace cfdmark
