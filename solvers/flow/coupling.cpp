#include "solvers/flow/coupling.hpp"

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/cpu/openmp.hpp"
#include "kernels/momentum/momentum.hpp"
#include "solvers/base/recording.hpp"
#include "solvers/linear/system/rank_levels.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

constexpr double usual_omega = 1.8;

Setting solver_setting(const std::string& of, std::vector<Value> searched, const std::string& usual,
                       const std::string& help) {
  return {of + "_solver", std::move(searched), usual, help, "", no_numbers(), solver_names()};
}
Setting method_setting(const std::string& of) {
  return {of + "_method",
          {},
          "usual",
          "method of cg, pcg or bicgstab, with its preconditioner; usual: the default without multigrid",
          "",
          no_numbers(),
          inner_methods()};
}
Setting tolerance_setting(const std::string& of, double usual = 0) {
  return real_setting(of + "_tolerance", usual, {Range::Kind::real, 0, 0.9},
                      "relative residual that ends a solve; 0: always " + of + "_sweeps");
}

const Setting sweep_method = choice_setting(
    "sweep_method", {"usual", "tiled", "wavefront", "persistent"}, "usual",
    "red-black method. tiled: tiles; wavefront: strips, at most 4 passes per pass over memory; "
    "usual: wavefront on large grids, else tiled; persistent: all passes in one launch with the "
    "fields in registers, up to about 500x500 cells");
void add_sweep_method(TuningSpace& space) {
  space.settings.push_back(sweep_method);
  space.require([](const Config& c) -> std::string {
    if (!c.is(sweep_method.name, "persistent")) return "";
    if (c.is("momentum_solver", "sor")) return "";
    if (c.is("pressure_solver", "sor") && c.real("pressure_tolerance") == 0) return "";
    return "sweep_method=persistent needs red-black passes: set momentum_solver=sor, or pressure_solver=sor "
           "without a tolerance";
  });
}

std::vector<Setting> settings_of_flows(const UsualSolves& usual, const std::vector<Setting>& own) {
  std::vector<Setting> all = {{"check_interval", {10, 20, 50}, 20, between_looks},
                              // Not tuned: another scheme gives another answer.
                              {"convection",
                               {},
                               "central",
                               "face velocity: central, by deferred correction of upwind; upwind; hybrid",
                               "",
                               {Range::Kind::none},
                               {"central", "upwind", "hybrid"}}};
  all.insert(all.end(), own.begin(), own.end());
  const std::vector<Setting> momentum = {
      // Not tuned: the answer is the same, and red-black passes are usually the fastest.
      solver_setting(
          "momentum", {}, "sor",
          "solver of the momentum equations: red-black passes (sor), or any that needs no symmetry"),
      method_setting("momentum"),
      // Not tuned in time steps: fewer iterations would give another answer.
      {"momentum_sweeps",
       usual.momentum_tolerance > 0 ? std::vector<Value>{} : std::vector<Value>{1, 2, 3, 5},
       usual.momentum_sweeps, "largest number of iterations per solve"},
      tolerance_setting("momentum", usual.momentum_tolerance)};
  all.insert(all.end(), momentum.begin(), momentum.end());
  const std::vector<Setting> pressure = pressure_settings(usual.pressure_solver, usual.pressure_sweeps);
  all.insert(all.end(), pressure.begin(), pressure.end());
  return all;
}

}  // namespace

std::vector<Setting> pressure_settings(const std::string& usual_solver, int usual_sweeps) {
  return {solver_setting("pressure", {"sor", "cg", "pcg", "multigrid"}, usual_solver,
                         "solver of the pressure equation, such as red-black passes (sor), conjugate "
                         "gradients or multigrid"),
          method_setting("pressure"),
          {"pressure_sweeps",
           {5, 10, 20, 50, 100},
           usual_sweeps,
           "largest number of iterations per solve; 3 are many for multigrid"},
          tolerance_setting("pressure"),
          {"pressure_omega",
           {1.5, 1.7, usual_omega, 1.9},
           usual_omega,
           "over-relaxation factor of sor",
           "",
           real_between(0, 2)}};
}

InnerSettings inner_settings(const Config& config, const std::string& of) {
  InnerSettings settings;
  settings.solver = config.choice(of + "_solver");
  settings.most = config.integer(of + "_sweeps");
  settings.tolerance = config.real(of + "_tolerance");
  settings.method = config.choice(of + "_method");
  return settings;
}

void complete_flow_space(BackendKind kind, TuningSpace& space) {
  space.require([](const Config& c) -> std::string {
    if (c.is("pressure_solver", "sor") || c.real("pressure_omega") == usual_omega) return "";
    return "pressure_omega needs pressure_solver=sor: set that, or leave it out";
  });
  for (const std::string of : {"momentum", "pressure"})
    if (find_setting(space.settings, of + "_solver"))
      space.require([kind, of](const Config& c) -> std::string {
        // The projection method solves `direct` by its own transforms.
        if (!c.has("momentum_solver") && c.is("pressure_solver", "direct")) return "";
        const std::string reason = inner_refusal(kind, inner_settings(c, of), of == "pressure");
        return reason.empty() ? "" : of + "_solver: " + reason;
      });
  if (kind == BackendKind::openmp) space.settings.push_back(openmp_threads_setting());
  if (kind != BackendKind::cuda) return;
  // An iteration has about a hundred launches, so graphs pay off on any grid. The rest of an interval runs
  // without them.
  Setting graphs = graph_iterations_setting;
  graphs.default_value = 10;
  space.settings.push_back(graphs);
}

Config threads_of(const Config& config) {
  Config threads;
  for (const std::string& name : {std::string("threads"), gather_cells.name, coarse_levels.name})
    if (config.has(name)) threads.set(name, config.at(name));
  return threads;
}

Coupling coupling_of(const Config& config, bool rhie_chow) {
  const std::string& word = config.choice("convection");
  Coupling coupling;
  coupling.convection = word == "upwind"   ? Convection::upwind
                        : word == "hybrid" ? Convection::hybrid
                                           : Convection::central;
  coupling.rhie_chow = rhie_chow;
  if (config.has("sweep_depth")) coupling.sweep_depth = config.integer("sweep_depth");
  if (config.has(sweep_method.name)) coupling.sweep_method = config.choice(sweep_method.name);
  coupling.momentum = inner_settings(config, "momentum");
  coupling.pressure = inner_settings(config, "pressure");
  coupling.pressure_omega = config.real("pressure_omega");
  return coupling;
}

std::vector<FlowMethod> flow_methods(
    BackendKind kind, std::string name, const UsualSolves& usual, const std::vector<Setting>& own,
    std::function<std::unique_ptr<Iteration>(FlowSystem&, const Config&)> prepare, SourcePlace where) {
  if (CellKernel<Momentum>::methods(kind).empty()) return {};
  FlowMethod method{std::move(name), {settings_of_flows(usual, own)}, std::move(prepare), where};
  if (kind != BackendKind::kokkos)
    // The paper's kernels process one colour each.
    method.space.settings.push_back({"sweep_depth",
                                     {1, 2, 4, 8},
                                     method.name == "paper"      ? 1
                                     : kind == BackendKind::cuda ? 4
                                                                 : 8,
                                     "red-black passes per pass over memory",
                                     "",
                                     {Range::Kind::integer, 1, 8}});
  if (kind == BackendKind::cuda && method.name != "paper") add_sweep_method(method.space);
  complete_flow_space(kind, method.space);
  return {method};
}

}  // namespace cfdmark
