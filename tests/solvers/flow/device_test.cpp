// Flows on a real device.
#include <map>

#include "tests/solvers/flow/flow_solve.hpp"
#include "tests/without_device.hpp"

using namespace cfdmark;

TEST_CASE("a flow solver reports its kernels and their calls per outer iteration", "[cuda][gpu][flow]") {
  if (skipped_without_device()) return;
  const auto calls_of = [&](const std::string& solver, int pressure_sweeps) {
    const FlowMethod method = flow_method(solver, BackendKind::cuda, "paper");
    const Config config = method.space.complete(
        {{"momentum_sweeps", 3}, {"pressure_solver", "sor"}, {"pressure_sweeps", pressure_sweeps}});
    PreparedFlow prepared(*find_flow_solver(solver), method, backend(BackendKind::cuda), Precision::fp64,
                          config, posed_flow("cavity", {12, 10}));
    prepared.reset();
    prepared.solve(1e-30, 3);
    std::map<std::string, int> calls;
    for (const KernelResources& kernel : prepared.solver().resources().kernels)
      calls[kernel.routine] += kernel.calls;
    return calls;
  };
  const auto simple = calls_of("simple", 5), piso = calls_of("piso", 7);
  CHECK(simple.at("momentum") == 1);
  CHECK(simple.at("gradient") == 1);
  CHECK(simple.at("solve u, v") == 2 * 3 * 2);  // two velocities, two colours
  CHECK(simple.at("solve p'") == 5 * 2);
  CHECK(simple.at("correct") == 3);
  CHECK(piso.at("pressure equation") == 2);
  CHECK(piso.at("solve p'") == 2 * 7 * 2);  // two corrections
}

// Fully converged solves are compared: for truncated conjugate gradients another order of summation changes
// the velocity by a thousandth.
TEST_CASE("flows on a device converge to those on a core with every pressure solver", "[cuda][gpu][flow]") {
  if (skipped_without_device()) return;
  for (const char* pressure_solver : {"sor", "cg", "pcg", "multigrid"})
    for (const char* problem : {"cavity", "tunnel"}) {
      INFO(problem << " by " << pressure_solver);
      const auto solved = [&](BackendKind kind) {
        const bool tunnel = std::string_view(problem) == "tunnel";
        return solve_flow(
            problem, {40, 10}, tunnel ? Config{{"diameter", 0.5}} : Config{},
            {.backend = kind,
             .tolerance = 1e-11,
             .config = {{"pressure_solver", pressure_solver},
                        {"pressure_sweeps", std::string_view(pressure_solver) == "multigrid" ? 3 : 40},
                        {"check_interval", 20}}});
      };
      const SolvedFlow device = solved(BackendKind::cuda), core = solved(BackendKind::serial);
      CHECK(device.outcome.converged);
      CHECK(core.outcome.converged);
      CHECK(largest_difference(device.flow.u, core.flow.u) < 1e-8);
      CHECK(largest_difference(device.flow.v, core.flow.v) < 1e-8);
    }
}

// In a recorded graph the device tests the inner tolerance; when timed by routine the host always does.
TEST_CASE("inner solves whose tolerance the device tests take as many iterations as with a test on the host",
          "[cuda][gpu][flow]") {
  if (skipped_without_device()) return;
  const FlowMethod method = flow_method("simple", BackendKind::cuda, "rhie_chow");
  for (const char* solver : {"sor", "cg", "pcg", "multigrid"}) {
    INFO(solver);
    const auto some = [&](int graph_iterations, bool by_routine) {
      const Config config = method.space.complete({{"check_interval", 20},
                                                   {"graph_iterations", graph_iterations},
                                                   {"pressure_solver", solver},
                                                   {"pressure_sweeps", 55},
                                                   {"pressure_tolerance", 0.05},
                                                   {"momentum_solver", "bicgstab"},
                                                   {"momentum_sweeps", 25},
                                                   {"momentum_tolerance", 0.01}});
      PreparedFlow prepared(simple_solver(), method, backend(BackendKind::cuda), Precision::fp64, config,
                            posed_flow("tunnel", {80, 20}, {{"diameter", 0.5}}));
      prepared.reset();
      const Outcome outcome = by_routine ? prepared.solve_by_routine(1e-30, 60) : prepared.solve(1e-30, 60);
      return std::pair{prepared.solution(), outcome.cost};
    };
    const auto [by_host, cost] = some(1, true);
    for (const int graph_iterations : {1, 10}) {
      const auto [judged, its_cost] = some(graph_iterations, false);
      CHECK(largest_difference(judged.u, by_host.u) == 0);
      CHECK(largest_difference(judged.p, by_host.p) == 0);
      CHECK(its_cost.bytes == cost.bytes);
    }
  }
}

// Relaxation passes have the same bits as on a core; reductions sum in another order.
TEST_CASE("vortices on a device decay as on a core, step by step, in every precision and by both methods",
          "[cuda][gpu][flow]") {
  if (skipped_without_device()) return;
  for (const char* method : {"rhie_chow", "paper"})
    for (Precision p : all_precisions) {
      INFO(method << " " << to_string(p));
      const auto solved = [&](BackendKind kind) {
        return solve_flow("taylor_green", {24, 10}, {},
                          {.solver = "piso",
                           .method = method,
                           .backend = kind,
                           .precision = p,
                           .tolerance = 1e-30,
                           .max_iterations = 40});
      };
      const SolvedFlow device = solved(BackendKind::cuda), core = solved(BackendKind::serial);
      CHECK(largest_difference(device.flow.u, core.flow.u) == 0);
      CHECK(largest_difference(device.flow.p, core.flow.p) == 0);
    }
}

TEST_CASE("with periodic sides linear solvers on a device correct the pressure as on a core",
          "[cuda][gpu][flow]") {
  if (skipped_without_device()) return;
  for (const char* solver : {"cg", "pcg", "bicgstab", "multigrid"}) {
    INFO(solver);
    const auto solved = [&](BackendKind kind) {
      return solve_flow(
          "taylor_green", {24, 10}, {},
          {.solver = "piso",
           .backend = kind,
           .tolerance = 1e-30,
           .max_iterations = 10,
           .config = {{"pressure_solver", solver}, {"pressure_sweeps", 100}, {"pressure_tolerance", 1e-13}}});
    };
    CHECK(largest_difference(solved(BackendKind::cuda).flow.u, solved(BackendKind::serial).flow.u) < 1e-9);
  }
}
