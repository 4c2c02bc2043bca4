#include "solvers/flow/coupling.hpp"

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/backends/openmp.hpp"
#include "kernels/momentum/momentum.hpp"
#include "solvers/core/recording.hpp"
#include "solvers/linear/method.hpp"

namespace cfdmark {
namespace {

constexpr double usual_omega = 1.8;

std::vector<Setting> settings_of_flows(UsualSweeps usual, const std::vector<Setting>& own) {
  std::vector<Setting> all = {
      {"check_interval", {10, 20, 50}, 20, between_looks},
      // A tuner leaves it alone: another scheme is another answer.
      {"convection",
       {},
       "central",
       "velocity on a face: the mean, as a correction of upwind; where the flow comes from; hybrid",
       "",
       {Range::Kind::none},
       {"central", "upwind", "hybrid"}}};
  all.insert(all.end(), own.begin(), own.end());
  const std::vector<Setting> pressure = pressure_settings("sor", usual.pressure);
  all.push_back(
      {"momentum_sweeps", {1, 2, 3, 5}, usual.momentum, "red-black sweeps of the momentum equations"});
  all.insert(all.end(), pressure.begin(), pressure.end());
  return all;
}

}  // namespace

std::vector<Setting> pressure_settings(const std::string& usual_solver, int usual_sweeps,
                                       const std::vector<std::string>& more) {
  std::vector<std::string> solvers = {"sor", "cg", "pcg", "multigrid"};
  solvers.insert(solvers.end(), more.begin(), more.end());
  return {word_setting("pressure_solver", solvers, usual_solver,
                       "of an equation of pressure: red-black sweeps, conjugate gradients, multigrid"),
          {"pressure_sweeps",
           {5, 10, 20, 50, 100},
           usual_sweeps,
           "its iterations, at most; of multigrid 3 are many"},
          real_setting("pressure_tolerance", 0, {Range::Kind::real, 0, 0.9},
                       "its residual, relative to the first, that ends it; 0: always pressure_sweeps"),
          {"pressure_omega",
           {1.5, 1.7, usual_omega, 1.9},
           usual_omega,
           "factor of over-relaxation of sor",
           "",
           real_between(0, 2)}};
}

InnerSettings inner_settings(const Config& config) {
  return {config.word("pressure_solver"), config.whole("pressure_sweeps"), config.real("pressure_tolerance")};
}

void complete_flow_space(BackendKind kind, TuningSpace& space) {
  space.require([](const Config& c) -> std::string {
    if (c.is("pressure_solver", "sor") || c.real("pressure_omega") == usual_omega) return "";
    return "pressure_omega is sor's: leave it out, or set pressure_solver=sor";
  });
  if (kind == BackendKind::openmp) space.settings.push_back(openmp_threads_setting());
  if (kind != BackendKind::cuda) return;
  // A hundred launches an iteration: graphs are worth it on any grid. What is left of an interval runs
  // without. The host judges a tolerance within an iteration, which no graph can wait for.
  Setting graphs = graph_iterations_setting;
  graphs.fallback = 10;
  space.settings.push_back(graphs);
  space.adapt = [](Config& defaults, const Config& given) {
    const char* const tolerance = "pressure_tolerance";
    if (given.has(tolerance) && given.at(tolerance).number() > 0)
      defaults.set(graph_iterations_setting.name, 1);
  };
  space.require([](const Config& c) -> std::string {
    if (c.real("pressure_tolerance") == 0 || graph_iterations(c) == 1) return "";
    return "the host judges pressure_tolerance, and a graph cannot wait for it: set graph_iterations=1";
  });
}

Config threads_of(const Config& config) {
  Config threads;
  if (config.has("threads")) threads.set("threads", config.at("threads"));
  return threads;
}

Coupling coupling_of(const Config& config, bool rhie_chow) {
  const std::string& word = config.word("convection");
  Coupling coupling;
  coupling.convection = word == "upwind"   ? Convection::upwind
                        : word == "hybrid" ? Convection::hybrid
                                           : Convection::central;
  coupling.rhie_chow = rhie_chow;
  coupling.momentum_sweeps = config.whole("momentum_sweeps");
  if (config.has("sweep_depth")) coupling.sweep_depth = config.whole("sweep_depth");
  coupling.pressure = inner_settings(config);
  coupling.pressure_omega = config.real("pressure_omega");
  return coupling;
}

std::vector<FlowMethod> flow_methods(
    BackendKind kind, std::string name, UsualSweeps usual, const std::vector<Setting>& own,
    std::function<std::unique_ptr<Iteration>(FlowSystem&, const Config&)> prepare, SourcePlace where) {
  if (CellKernel<Momentum>::methods(kind).empty()) return {};
  FlowMethod method{std::move(name), {settings_of_flows(usual, own)}, std::move(prepare), where};
  if (kind != BackendKind::kokkos)
    // The thesis's kernels take a colour each.
    method.space.settings.push_back({"sweep_depth",
                                     {1, 2, 4, 8},
                                     method.name == "paper"      ? 1
                                     : kind == BackendKind::cuda ? 4
                                                                 : 8,
                                     "red-black sweeps in one pass over memory",
                                     "",
                                     {Range::Kind::whole, 1, 8}});
  complete_flow_space(kind, method.space);
  return {method};
}

}  // namespace cfdmark
