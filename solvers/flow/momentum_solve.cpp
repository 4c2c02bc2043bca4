#include "solvers/flow/momentum_solve.hpp"

#include <algorithm>
#include <cmath>

namespace cfdmark {
namespace {

// Passes between two residual checks: the most that one pass over memory makes. A check reads as much as a
// pass.
constexpr int usual_chunk = 8;

// Residuals do not fall below this many roundoffs of their terms.
constexpr double least_roundoffs = 4;

}  // namespace

MomentumSolve::MomentumSolve(FlowSystem& flow, const Coupling& coupling, const Config& threads,
                             const char* routine, const AnyView& scratch)
    : flow_(flow),
      is_recorded_(flow.backend.kind() == BackendKind::cuda && !flow.ranks()),
      routine_(routine),
      chunk_(std::min(usual_chunk, coupling.momentum.most)),
      part_(flow.backend),
      sum_(flow.backend) {
  const InnerSettings& settings = coupling.momentum;
  const System systems[] = {flow.u_system(), flow.v_system()};
  const Operations op(systems[0], threads);
  const double rounding = least_roundoffs * roundoff(flow.precision) / settings.tolerance;
  const auto add = [&](std::vector<Operation>& to, double factor) {
    to.push_back(op.update({factor}, part_.view(), {1}, sum_.view(), routine));
  };
  for (const int n : {0, 1}) {
    const System& system = systems[n];
    const auto sweeps = [&](int count) {
      return red_black_sweeps(flow, system, coupling, threads, routine, 1, count);
    };
    chunk_sweeps_[n] = sweeps(chunk_);
    if (const int rest = settings.most % chunk_; rest > 0) rest_sweeps_[n] = sweeps(rest);
    ghosts_[n] = {system, flow.domain, {system.u}, threads};
    residual_.push_back(
        op.sweep<ResidualSquare>(routine, {.precision = flow.precision,
                                           .fields = {.a = system.stencil(), .u = system.u, .b = system.b},
                                           .result = n == 0 ? sum_.data() : part_.data()}));
    rounding_.push_back(op.sweep<Multiply>(
        routine,
        {.precision = flow.precision, .fields = {.x = flow.diagonal(), .y = system.u, .product = scratch}}));
    rounding_.push_back(op.sweep<Dot>(routine, {flow.precision, {}, {scratch, scratch}, part_.data()}));
    add(rounding_, rounding * rounding);
  }
  add(residual_, 1);
  loop_ = std::make_unique<DeviceConvergenceLoop>(flow.backend, sum_.data(), settings.tolerance, chunk_,
                                                  settings.most);
  if (is_recorded_) recorded_ = RecordedWork(flow.backend, [this] { run(); });
}

void MomentumSolve::operator()() {
  return is_recorded_ && !(flow_.clock && flow_.clock->is_on()) ? recorded_() : run();
}

// The first residual includes the rounding level, so that the loop never iterates below it.
void MomentumSolve::run() {
  bool is_first = true;
  (*loop_)([this](int sweeps) { sweep(sweeps); },
           [&] {
             check_residual(is_first);
             is_first = false;
           });
}

void MomentumSolve::sweep(int count) {
  const auto& sweeps = count == chunk_ ? chunk_sweeps_ : rest_sweeps_;
  for (const int n : {0, 1}) sweeps[n](ghosts_[n]);
}

void MomentumSolve::check_residual(bool is_first) {
  for (const Operation& operation : residual_) operation();
  if (!is_first) return;
  for (const Operation& operation : rounding_) operation();
}

double MomentumSolve::mean_sweeps() const {
  const DeviceConvergenceLoop::Counts counts = loop_->counts();
  return counts.loops > 0 ? counts.iterations / counts.loops : 0;
}

Cost MomentumSolve::cost() const {
  const DeviceConvergenceLoop::Counts counts = loop_->counts();
  Cost all;
  for (const int n : {0, 1}) all = all + counts.iterations / chunk_ * chunk_sweeps_[n].cost(ghosts_[n]);
  for (const Operation& operation : residual_) all = all + counts.looks * operation.cost;
  for (const Operation& operation : rounding_) all = all + counts.loops * operation.cost;
  return all;
}

Resources MomentumSolve::resources() const {
  Resources all;
  const double chunks = mean_sweeps() / chunk_;
  for (const int n : {0, 1})
    for (const Operation& operation : chunk_sweeps_[n].turn) {
      Step step;
      step.resources = operation.step.resources;
      const int launches = step.resources.launches, kernels = int(step.resources.kernels.size());
      for (KernelResources& kernel : step.resources.kernels)
        kernel.routine = routine_,
        kernel.calls = int(std::lround(chunks * chunk_sweeps_[n].times * (launches / kernels)));
      step.resources.launches = int(
          std::lround(chunks * chunk_sweeps_[n].times * (step.resources.launches + ghosts_[n].launches())));
      add_resources(all, step);
    }
  return all;
}

}  // namespace cfdmark
