#include "solvers/flow/inner_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "solvers/base/words.hpp"
#include "solvers/flow/block_shape.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

constexpr const char* usual = "usual";

bool is_krylov(const std::string& solver) {
  return solver == "cg" || solver == "pcg" || solver == "bicgstab";
}

const SolverDescription& description_of(const std::string& solver) {
  for (const SolverDescription& description : solver_table())
    if (description.name == solver) return description;
  throw std::invalid_argument("unknown solver: " + solver);
}

// Cached, because a tuner checks tens of thousands of configs. Several threads may ask; a list stays in
// place.
const std::vector<SolverMethod>& methods_of(const std::string& solver, BackendKind kind) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static std::map<std::pair<std::string, BackendKind>, std::vector<SolverMethod>> known;
  const auto [found, is_new] = known.try_emplace({solver, kind});
  if (is_new) found->second = description_of(solver).methods(kind);
  return found->second;
}

const SolverMethod* find_method(const std::vector<SolverMethod>& methods, const std::string& name) {
  for (const SolverMethod& method : methods)
    if (method.name == name) return &method;
  return nullptr;
}

// A multigrid cycle as a preconditioner needs its coarse operators again whenever the equations change, which
// a solve of few iterations does not repay.
std::vector<SolverMethod> without_cycles(std::vector<SolverMethod> methods) {
  std::erase_if(methods, [](const SolverMethod& m) { return m.name.ends_with("multigrid"); });
  return methods;
}

SolverMethod method_of(const InnerSettings& settings, const System& system) {
  const BackendKind kind = system.backend->kind();
  if (const std::string reason = inner_refusal(kind, settings, true); !reason.empty())
    throw std::invalid_argument(reason);
  const std::vector<SolverMethod>& methods = methods_of(settings.solver, kind);
  const SystemShape shape = shape_of(system);
  const auto does = [&](const SolverMethod& method) { return method.why_unsupported(shape).empty(); };
  if (std::none_of(methods.begin(), methods.end(), does))
    throw std::invalid_argument(
        fmt::format("{}: {}", settings.solver, methods.front().why_unsupported(shape)));
  const bool named = settings.method != usual;
  if (!named && settings.solver == "pcg") return default_solver_method(without_cycles(methods), shape);
  if (!named && settings.solver != "cg") return default_solver_method(methods, shape);
  const SolverMethod* const found = find_method(methods, named ? settings.method : "fused");
  const std::string reason = found ? found->why_unsupported(shape) : "";
  if (named && !reason.empty()) throw std::invalid_argument(found->name + ": " + reason);
  return found && reason.empty() ? *found : *std::find_if(methods.begin(), methods.end(), does);
}

}  // namespace

std::vector<std::string> inner_methods() {
  return {usual, "textbook", "fused", "red_black", "multigrid", "fused_multigrid"};
}

std::string inner_refusal(BackendKind kind, const InnerSettings& settings, bool is_symmetric) {
  const std::string& solver = settings.solver;
  const SolverDescription& description = description_of(solver);
  if (solver == "direct") return "direct needs equal equations in all cells, and those of this flow vary";
  if (solver == "hypre" || solver == "ginkgo")
    return solver + " assembles its matrix once, before the flow is known";
  if (description.needs_symmetry && !is_symmetric)
    return solver +
           " needs symmetric equations, but convection makes those of momentum unsymmetric; use bicgstab";
  const std::vector<SolverMethod>& methods = methods_of(solver, kind);
  if (methods.empty()) return fmt::format("solver {} does not exist on {}", solver, to_string(kind));
  if (settings.method == usual) return "";
  if (!is_krylov(solver))
    return fmt::format(
        "method {} applies to cg, pcg and bicgstab only: leave it out, or use one of these solvers",
        settings.method);
  if (find_method(methods, settings.method)) return "";
  std::vector<std::string> able = {usual};
  for (const std::string& name : inner_methods())
    if (find_method(methods, name)) able.push_back(name);
  return fmt::format("{} has no method '{}' on {}; use {}", solver, settings.method, to_string(kind),
                     listed(able));
}

InnerSolve::InnerSolve(const System& system, const InnerSettings& settings, const Config& given)
    : settings_(settings),
      clock_(system.clock),
      exchanges_(system.sides.are_periodic() || system.ranks),
      is_recorded_(system.backend->kind() == BackendKind::cuda && !system.ranks && settings.tolerance > 0) {
  SolverMethod method = method_of(settings, system);
  if (system.ranks)
    for (const Setting& setting : method.rank_settings) method.space.settings.push_back(setting);
  const Config config = config_for(method.space, blocks_for(method.space, given));
  iteration_ = method.prepare(system, config);
  if (settings.tolerance == 0) return;
  const int interval = std::min(config.integer("check_interval"), iteration_->longest_interval());
  const int periods = (interval - 1) / iteration_->period() + 1;
  loop_ = std::make_unique<DeviceConvergenceLoop>(*system.backend, iteration_->residual_square(),
                                                  settings.tolerance, periods * iteration_->period(),
                                                  settings.most);
  if (is_recorded_) recorded_ = RecordedWork(*system.backend, [this] { run(); });
}

void InnerSolve::operator()() { return is_recorded_ && !(clock_ && clock_->is_on()) ? recorded_() : run(); }

void InnerSolve::run() {
  if (!is_started_) iteration_->start();
  if (loop_)
    (*loop_)([this](int iterations) { iteration_->advance(iterations, 0); },
             [this] { iteration_->check_residual(); });
  else
    iteration_->advance(settings_.most, 0);
  iteration_->store();
}

// Multigrid starts to make its coarse operators, which stay valid as long as the operator does. A restarted
// flow uploads its operator again, which clears the ghosts of periodic sides and cuts: only then it starts
// again.
void InnerSolve::reset() {
  const bool keeps_its_start = settings_.same_operator && settings_.solver == "multigrid";
  if (keeps_its_start && (!is_started_ || exchanges_)) iteration_->start();
  is_started_ = keeps_its_start;
  if (loop_) loop_->reset();
}

double InnerSolve::mean_iterations() const {
  if (!loop_) return settings_.most;
  const DeviceConvergenceLoop::Counts counts = loop_->counts();
  return counts.loops > 0 ? counts.iterations / counts.loops : 0;
}

Cost InnerSolve::cost(double solves) const {
  const Cost none = iteration_->cost(0);  // cost of start()
  const Cost all = iteration_->cost(settings_.most) + -1.0 * none;
  if (!loop_) return solves * all + (is_started_ ? 0 : solves) * none;
  const DeviceConvergenceLoop::Counts counts = loop_->counts();
  return counts.iterations / settings_.most * all + (is_started_ ? 0 : counts.loops) * none +
         counts.looks * iteration_->check_cost();
}

Resources InnerSolve::resources() const {
  Resources all = iteration_->resources();
  all.launches = int(std::lround(all.launches * mean_iterations()));
  return all;
}

}  // namespace cfdmark
