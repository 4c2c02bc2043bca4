#include "solvers/flow/inner_solve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solvers/flow/block_shape.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

// Of (biconjugate) gradients the textbook's, the first, which starts without the host; else the usual one.
SolverMethod method_of(const std::string& solver, const System& system) {
  const BackendKind kind = system.backend->kind();
  for (const SolverDescription& description : solver_table()) {
    const auto methods = description.name == solver ? description.methods(kind) : std::vector<SolverMethod>{};
    if (methods.empty()) continue;
    if (solver == "cg" || solver == "pcg" || solver == "bicgstab") return methods.front();
    return default_solver_method(methods, {system.grid(), system.a.constant, system.precision});
  }
  throw std::invalid_argument("there is no " + solver + " for a system inside a flow on " +
                              std::string(to_string(kind)));
}

}  // namespace

InnerSolve::InnerSolve(const System& system, const InnerSettings& settings, const Config& given)
    : settings_(settings) {
  const SolverMethod method = method_of(settings.solver, system);
  const Config config = config_for(method.space, blocks_for(method.space, given));
  interval_ = config.whole("check_interval");
  iteration_ = method.prepare(system, config);
}

void InnerSolve::operator()() {
  iterations_ = looks_ = 0;
  // Of multigrid only the coarse operators are to be started.
  if (!is_started_) iteration_->start();
  is_started_ = settings_.same_operator && settings_.solver == "multigrid";
  if (settings_.tolerance == 0) {
    iterations_ = iteration_->advance(settings_.most, 0);
    iteration_->store();
    return;
  }
  const auto residual = [&] {
    ++looks_;
    return iteration_->residuals().front().value;
  };
  const double first = residual(), wanted = settings_.tolerance * first;
  for (double now = first; iterations_ < settings_.most && now > wanted; now = residual())
    iterations_ += iteration_->advance(std::min(interval_, settings_.most - iterations_), 0);
  iteration_->store();
}

Cost InnerSolve::cost() const {
  Cost all = iteration_->cost(iterations_) + double(looks_) * iteration_->check_cost();
  if (!is_started_) return all;
  const Cost start = iteration_->cost(0);
  return {all.bytes - start.bytes, all.flops - start.flops, all.cells - start.cells};
}

Resources InnerSolve::resources() const {
  Resources all = iteration_->resources();
  all.launches *= iterations_;
  return all;
}

}  // namespace cfdmark
