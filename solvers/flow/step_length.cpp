#include "solvers/flow/step_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "solvers/flow/eddy_model.hpp"

namespace cfdmark {
namespace {

// Not tuned: other steps give another answer.
const Setting time_steps{
    "time_steps",
    {},
    "fixed",
    "fixed: equal steps; stable: recomputed from the stability limit at each check (check_interval)",
    "",
    no_numbers(),
    {"fixed", "stable"}};
const Setting time_step = real_setting("time_step", 0, {Range::Kind::real, 0},
                                       "time step; 0: stable_share times the longest stable one");
const Setting stable_share = real_setting("stable_share", 0.8, {Range::Kind::real, 0.01, 1},
                                          "fraction of the longest stable time step");

// Largest ratio of a step to the previous one: the flow may accelerate before the next check.
constexpr double largest_growth = 1.2;

void refuse_beyond(const LongestStep& longest, double step, const char* remedy) {
  if (step <= longest.length * (1 + 1e-9)) return;  // false for NaN
  throw std::invalid_argument(
      fmt::format("time step {:.3g} is unstable: the longest stable one is {:.3g}, limited by {}; {}", step,
                  longest.length, longest.reason, remedy));
}

// Returns the cell with the larger of the diffusivities of momentum and heat.
FluidCell diffusing_cell(const FlowDomain& flow) {
  FluidCell cell = flow.cell;
  if (flow.heat) cell.viscosity = std::max(cell.viscosity, cell.density * flow.heat->diffusivity);
  return cell;
}

}  // namespace

std::vector<Setting> step_length_settings() { return {time_steps, time_step, stable_share, end_time}; }

StepLength::StepLength(const System& system, const FlowDomain& flow, bool upwind, const Config& config,
                       const SavedFlow* saved)
    : flow_(flow),
      upwind_(upwind),
      adaptive_(config.is(time_steps.name, "stable")),
      share_(config.real(stable_share.name)),
      end_(config.real(end_time.name)),
      turbulent_prandtl_(turbulent_prandtl(config)) {
  const std::vector<double> expected(system.grid().dims, flow.speed);
  const double given = config.real(time_step.name);
  if (adaptive_ && given > 0)
    throw std::invalid_argument("time_step needs time_steps=fixed: set that, or leave it out");
  const double wanted = given > 0 ? given : share_ * longest(expected, 0).length;
  if (!(wanted > 0))
    throw std::invalid_argument(
        "without viscosity no step is stable for unlimited time: set time_step and end_time");
  const TimeSteps steps =
      saved ? TimeSteps(*saved, config) : TimeSteps(wanted, config, fmt::format("{:.3g}", wanted));
  first_ = length_ = steps.length;
  if (!adaptive_) {
    count_ = steps.count;
    refuse_beyond(longest(expected, count_), length_, "leave time_step out, or make it shorter");
    return;
  }
  Backend& on = *system.backend;
  lengths_ = Field(on, {2, 1}, Precision::fp64), time_ = Field(on, {1, 1}, Precision::fp64);
  const Operations op(system, {});
  const AnyView now = lengths_.view().box(0, 0, 0, 1, 1), before = lengths_.view().box(1, 0, 0, 1, 1);
  after_step_ = {op.update({1}, now, {1}, time_.view(), "time"), op.scale({1}, now, before, "time")};
}

LongestStep StepLength::longest(const std::vector<double>& speeds, int steps, double eddy_viscosity) const {
  if (!flow_.heat || eddy_viscosity == 0)
    return longest_step(upwind_, diffusing_cell(flow_), speeds, steps, eddy_viscosity);
  // Momentum diffuses by nu + nu_t, heat by alpha + nu_t / Pr_t; the shorter step applies.
  FluidCell of_heat = flow_.cell;
  of_heat.viscosity = of_heat.density * flow_.heat->diffusivity;
  const LongestStep momentum = longest_step(upwind_, flow_.cell, speeds, steps, eddy_viscosity);
  LongestStep heat = longest_step(upwind_, of_heat, speeds, steps, eddy_viscosity / turbulent_prandtl_);
  heat.reason += ", for heat, with its diffusivity in place of nu";
  return momentum.length < heat.length ? momentum : heat;
}

TwoRates StepLength::rates() const {
  if (adaptive_) return {0, 0, static_cast<const double*>(lengths_.view().origin)};
  return {1.5 * length_, -0.5 * length_};
}

OfStep StepLength::of(double value) const {
  if (adaptive_) return {value, static_cast<const double*>(lengths_.view().origin)};
  return {value * length_};
}

void StepLength::set(double length, double before) {
  HostField both(lengths_.grid(), Precision::fp64);
  both.set(0, 0, 0, length), both.set(1, 0, 0, before);
  lengths_.upload(both);
  length_ = length, before_ = before;
}

void StepLength::start(const SavedFlow* saved) {
  was_looked_at_ = saved;
  if (!adaptive_) return;
  HostField time(time_.grid(), Precision::fp64);
  elapsed_ = saved ? saved->time : 0, done_ = 0;
  time.set(0, 0, 0, elapsed_);
  time_.upload(time);
  set(saved ? fitted(saved->number("next_step")) : first_, saved ? saved->number("last_step") : first_);
}

// All numbers are those of the uninterrupted flow. "time_step" is the first step, the scale of its residuals.
void StepLength::save(SavedFlow& saved) const {
  saved.numbers.push_back({"time_step", first_});
  if (!adaptive_) return;
  saved.numbers.push_back({"next_step", length_});
  saved.numbers.push_back({"last_step", before_});
}

double StepLength::fitted(double length) {
  if (end_ <= 0) return length;
  const double rest = end_ - elapsed_;
  left_ = rest > 1e-9 * end_ ? int(std::min(std::ceil(rest / length - 1e-9), 1e9)) : 0;
  return left_ > 0 ? std::min(length, rest / left_) : length;
}

void StepLength::after_step() {
  for (const Operation& operation : after_step_) operation();
}

void StepLength::look(const std::vector<double>& speeds, double eddy_viscosity) {
  for (double speed : speeds)
    if (!std::isfinite(speed + eddy_viscosity)) return;  // the residuals report it
  if (std::exchange(was_looked_at_, false)) return;
  if (!adaptive_)
    return refuse_beyond(longest(speeds, count_, eddy_viscosity), length_,
                         "it was stable at the start: set time_steps=stable, or raise pressure_sweeps if an "
                         "unsolved pressure accelerates the flow");
  std::vector<double> fastest = speeds;
  for (std::size_t axis = 0; axis < fastest.size(); ++axis)
    fastest[axis] = std::max(fastest[axis], flow_.boundary_speeds[axis]);
  const double next = std::min(share_ * longest(fastest, 0, eddy_viscosity).length, largest_growth * length_);
  // All steps between two checks have the same length.
  const double time = time_.download().get(0, 0);
  done_ += int(std::lround((time - elapsed_) / length_));
  elapsed_ = time;
  set(fitted(next), length_);
}

int StepLength::final_iteration() const {
  if (adaptive_) return end_ > 0 ? done_ + left_ : std::numeric_limits<int>::max();
  return count_ > 0 ? count_ : std::numeric_limits<int>::max();
}

Cost StepLength::cost() const {
  Cost all;
  for (const Operation& operation : after_step_) all = all + operation.cost;
  return all;
}

int StepLength::launches() const {
  int all = 0;
  for (const Operation& operation : after_step_) all += operation.step.resources.launches;
  return all;
}

}  // namespace cfdmark
