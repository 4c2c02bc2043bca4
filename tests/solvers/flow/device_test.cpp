// Flows on a real device.
#include <map>

#include "kernels/backends/cuda.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

TEST_CASE("a flow solver says which kernels it calls how often in an outer iteration", "[cuda][gpu][flow]") {
  if (const std::string reason = cuda_unavailable(); !reason.empty()) {
    WARN("skipped: " << reason);
    return;
  }
  const auto calls_of = [&](const std::string& solver, int pressure_sweeps) {
    const FlowMethod method = flow_method(solver, BackendKind::cuda, "paper");
    const Config config =
        method.space.complete({{"momentum_sweeps", 3}, {"pressure_sweeps", pressure_sweeps}});
    PreparedFlow prepared(method, backend(BackendKind::cuda), Precision::fp64, config,
                          posed_flow("cavity", {12, 10}));
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

// What a record says of conjugate gradients inside, too.
TEST_CASE("flows on a device are those of a core, whichever way their pressure is solved",
          "[cuda][gpu][flow]") {
  if (const std::string reason = cuda_unavailable(); !reason.empty()) {
    WARN("skipped: " << reason);
    return;
  }
  const auto solved = [](BackendKind kind, const std::string& solver, const std::string& problem,
                         Config config) {
    const bool in_time = problem == "taylor_green";
    config.set("check_interval", 20);
    return solve_flow(
        problem, in_time ? Grid{24, 10} : Grid{40, 10},
        problem == "tunnel" ? Config{{"diameter", 0.5}} : Config{},
        {.solver = solver, .backend = kind, .tolerance = 1e-30, .max_iterations = 40, .config = config});
  };
  for (const char* pressure_solver : {"sor", "cg", "pcg"})
    for (const char* problem : {"cavity", "tunnel", "taylor_green"}) {
      const bool periodic = std::string_view(problem) == "taylor_green";
      if (periodic && std::string_view(pressure_solver) != "sor") continue;
      INFO(problem << " by " << pressure_solver);
      const std::string solver = periodic ? "piso" : "simple";
      const SolvedFlow device =
                           solved(BackendKind::cuda, solver, problem, {{"pressure_solver", pressure_solver}}),
                       core = solved(BackendKind::serial, solver, problem,
                                     {{"pressure_solver", pressure_solver}});
      CHECK(largest_difference(device.flow.u, core.flow.u) < 1e-10);
      CHECK(largest_difference(device.flow.v, core.flow.v) < 1e-10);
    }
}
