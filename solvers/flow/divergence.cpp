#include "solvers/flow/divergence.hpp"

#include <algorithm>
#include <cmath>

namespace cfdmark {
namespace {

constexpr double never_reached = 1e-300;  // a tolerance
// A gap next to a body may carry ten times the expected speed.
constexpr double too_fast = 100;

bool is_good(const FlowProblem& problem, const Outcome& outcome, const FlowFields& flow) {
  return std::isfinite(outcome.relative_residual) && is_sound(problem, flow);
}

}  // namespace

bool is_sound(const FlowProblem& problem, const FlowFields& flow) {
  const HostField* const velocities[] = {&flow.u, &flow.v, &flow.w};
  bool sound = true;
  for_each_cell(problem.grid, false, [&](int i, int j, int k) {
    for (int axis = 0; axis < problem.grid.dims; ++axis)
      sound = sound && std::abs(velocities[axis]->get(i, j, k)) <= too_fast * problem.speed;  // false for NaN
    sound = sound && std::isfinite(flow.p.get(i, j, k));
  });
  return sound;
}

std::optional<Divergence> find_divergence(PreparedFlow& prepared, const FlowProblem& problem,
                                          const Outcome& outcome) {
  if (outcome.converged || is_good(problem, outcome, prepared.solution())) return {};
  Divergence found;
  bool sound = true;
  const auto solver_on_check = prepared.solver().on_check;
  prepared.solver().on_check = [&](const Outcome& so_far) {
    sound = sound && is_good(problem, so_far, prepared.solution());
    if (sound) found.last_good = so_far.iterations;
  };
  prepared.reset();
  prepared.solve(never_reached, outcome.iterations);
  prepared.solver().on_check = solver_on_check;
  prepared.reset();
  if (found.last_good > 0) prepared.solve(never_reached, found.last_good);
  found.flow = prepared.solution();
  while (found.last_good + 1 < outcome.iterations) {
    const Outcome next = prepared.solve(never_reached, 1);
    FlowFields flow = prepared.solution();
    if (!is_good(problem, next, flow)) break;
    found.flow = std::move(flow);
    ++found.last_good;
  }
  return found;
}

}  // namespace cfdmark
