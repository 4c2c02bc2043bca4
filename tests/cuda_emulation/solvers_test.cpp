// Linear solvers on an emulated device, with their iterations launched singly and captured as graphs.
#include <algorithm>
#include <cstring>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/cases.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"

using namespace cfdmark;

namespace {

struct Solved {
  Outcome outcome;
  HostField u;
};

// Seven iterations with a residual test every four: two graphs of two iterations each, and a last one outside
// the graphs.
Solved seven_iterations(const SolverDescription& solver, const SolverMethod& method, Backend& on, Precision p,
                        const std::shared_ptr<const LinearProblem>& problem, Config config) {
  config.set("check_interval", 4);
  PreparedSolver prepared(solver, method, on, p, method.space.complete(config), problem);
  prepared.reset();
  Outcome outcome = prepared.solve(1e-30, 7);
  return {outcome, prepared.solution()};
}

// Returns the method of the same name, or the first.
SolverMethod serial_method(const SolverDescription& solver, const SolverMethod& like) {
  const auto methods = solver.methods(BackendKind::serial);
  for (const SolverMethod& method : methods)
    if (method.name == like.name) return method;
  return methods.front();
}

// A method with many iterations per launch has no graphs.
bool has_graphs(const SolverMethod& method) {
  return find_setting(method.space.settings, graph_iterations_setting.name);
}
bool has_launch_mode(const SolverMethod& method) {
  return find_setting(method.space.settings, "launch_mode");
}

// Multigrid cycles launched kernel by kernel: the only graphs are those of iterations.
Config kernel_by_kernel(const SolverMethod& method, Config given) {
  if (has_launch_mode(method)) given.set("launch_mode", "stream");
  return given;
}

bool same_bits(const HostField& a, const HostField& b) {
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

// Checks that the chosen solvers iterate on an emulated device as on a CPU, directly and with captured
// iterations.
template <class F>
void check_iterations(const F& chosen) {
  EmulatedCuda device;
  for_each_cuda_solver([&](const auto& solver, const auto& method, Precision p, const auto& problem) {
    if (!chosen(solver.name)) return;
    INFO(solver.name << " " << method.name << " " << to_string(p) << " " << problem->description->name);
    const Solved direct = seven_iterations(solver, method, device, p, problem,
                                           has_graphs(method) ? Config{{"graph_iterations", 1}} : Config{});
    if (has_graphs(method)) {
      const int graphs_before = device.graphs_run();
      const Solved recorded = seven_iterations(solver, method, device, p, problem,
                                               kernel_by_kernel(method, {{"graph_iterations", 2}}));
      CHECK(device.graphs_run() ==
            graphs_before + 2);  // the first pair of iterations was captured, not replayed
      CHECK(recorded.outcome.history == direct.outcome.history);
      CHECK(same_bits(recorded.u, direct.u));
    }

    const Solved serial =
        seven_iterations(solver, serial_method(solver, method), backend(BackendKind::serial), p, problem, {});
    REQUIRE(direct.outcome.history.size() == serial.outcome.history.size());
    // In a residual at rounding level only the order of a sum remains.
    const double epsilon = p == Precision::fp64 ? 1e-9 : 1e-3, rounding = p == Precision::fp64 ? 1e-14 : 1e-6;
    for (std::size_t n = 0; n < serial.outcome.history.size(); ++n) {
      const double expected = serial.outcome.history[n].second;
      CHECK(direct.outcome.history[n].second == Approx(expected).epsilon(epsilon).margin(rounding));
      // From there it may rise by rounding: a hundredfold in fp32 for singular systems.
      if (expected < 10 * rounding) break;
    }
    // A relaxation computes no scalars, whose sums depend on order, except for a mean that is subtracted.
    const bool relaxes = (solver.name == "jacobi" || solver.name == "sor" || solver.name == "multigrid") &&
                         !is_singular(*problem->description);
    if (relaxes && p != Precision::mixed)
      CHECK(same_bits(direct.u, serial.u));  // mixed precision scales by a norm
  });
}

// The slowest solvers have a test each, so that they run in parallel.
const std::vector<std::string> with_a_test_of_their_own = {"cg", "pcg", "bicgstab", "multigrid"};

void check_iterations_of(const std::string& name) {
  REQUIRE(std::ranges::count(with_a_test_of_their_own, name) == 1);
  check_iterations([&](const std::string& solver) { return solver == name; });
}

}  // namespace

TEST_CASE("cg iterates on an emulated device as on a CPU, directly and captured", "[cuda][solvers]") {
  check_iterations_of("cg");
}
TEST_CASE("pcg iterates on an emulated device as on a CPU, directly and captured", "[cuda][solvers]") {
  check_iterations_of("pcg");
}
TEST_CASE("bicgstab iterates on an emulated device as on a CPU, directly and captured", "[cuda][solvers]") {
  check_iterations_of("bicgstab");
}
TEST_CASE("multigrid iterates on an emulated device as on a CPU, directly and captured", "[cuda][solvers]") {
  check_iterations_of("multigrid");
}
TEST_CASE("every other solver iterates on an emulated device as on a CPU, directly and captured",
          "[cuda][solvers]") {
  check_iterations(
      [](const std::string& solver) { return std::ranges::count(with_a_test_of_their_own, solver) == 0; });
}

TEST_CASE("a residual computed by the last iterations controls a solve like one of a separate pass, emulated",
          "[cuda][solvers]") {
  EmulatedCuda device;
  int methods = 0;
  for_each_cuda_solver([&](const auto& solver, const auto& method, Precision p, const auto& problem) {
    if (!find_setting(method.space.settings, "residual_pass")) return;
    INFO(solver.name << " " << method.name << " " << to_string(p) << " " << problem->description->name);
    ++methods;
    const auto by = [&](const char* pass) {
      PreparedSolver prepared(
          solver, method, device, p,
          method.space.complete({{"check_interval", 4}, {"graph_iterations", 2}, {"residual_pass", pass}}),
          problem);
      std::vector<Outcome> outcomes;
      for (int solves = 0; solves < 2; ++solves) {  // in the second solve all pairs of iterations are graphs
        prepared.reset();
        outcomes.push_back(prepared.solve(1e-3, 17));
      }
      return std::pair{outcomes, prepared.solution()};
    };
    const auto [fused, u] = by("fused");
    const auto [separate, expected] = by("separate");
    CHECK(same_bits(u, expected));
    for (std::size_t n = 0; n < 2; ++n) {
      REQUIRE(fused[n].history.size() == separate[n].history.size());
      for (std::size_t look = 0; look < fused[n].history.size(); ++look)
        CHECK(fused[n].history[look].second == Approx(separate[n].history[look].second)
                                                   .epsilon(p == Precision::fp64 ? 1e-9 : 1e-3)
                                                   .margin(p == Precision::fp64 ? 1e-14 : 1e-6));
    }
  });
  CHECK(methods > 2);
}

TEST_CASE("a multigrid cycle is one graph from the second on, or single launches, with the same bits",
          "[cuda][solvers]") {
  EmulatedCuda device;
  int methods = 0;
  for_each_cuda_solver([&](const auto& solver, const auto& method, Precision p, const auto& problem) {
    if (!has_launch_mode(method) || p != Precision::fp64) return;
    INFO(solver.name << " " << method.name << " " << problem->description->name);
    ++methods;
    const int before = device.graphs_run();
    const Solved graphs = seven_iterations(solver, method, device, p, problem, {});
    const int run = device.graphs_run() - before;
    // A preconditioner's first cycle precedes the first iteration. BiCGStab has two per iteration and none
    // before.
    CHECK(run == (solver.name == "multigrid" ? 6 : solver.name == "pcg" ? 7 : 13));
    const Solved single = seven_iterations(solver, method, device, p, problem, {{"launch_mode", "stream"}});
    CHECK(device.graphs_run() == before + run);
    CHECK(same_bits(graphs.u, single.u));
    // Captured iterations contain the launches of their cycles.
    seven_iterations(solver, method, device, p, problem, {{"graph_iterations", 2}});
    CHECK(device.graphs_run() > before + run + 2);
  });
  CHECK(methods > 2);
}

TEST_CASE("a Krylov method in fp64 with a cycle in fp32 converges on an emulated device as on a CPU",
          "[cuda][solvers]") {
  EmulatedCuda device;
  int methods = 0;
  for_each_cuda_solver([&](const auto& solver, const auto& method, Precision p, const auto& problem) {
    if (!find_setting(method.space.settings, "preconditioner_precision") || p != Precision::fp64) return;
    INFO(solver.name << " " << method.name << " " << problem->description->name);
    ++methods;
    const Config narrow{{"preconditioner_precision", "fp32"}};
    const Solved s = seven_iterations(solver, method, device, p, problem, narrow);
    const Solved serial = seven_iterations(solver, serial_method(solver, method),
                                           backend(BackendKind::serial), p, problem, narrow);
    // Only the order of sums differs; this late that is most of the residual.
    CHECK(s.outcome.history[1].second ==
          Approx(serial.outcome.history[1].second).epsilon(1e-3).margin(1e-13));
    CHECK(s.outcome.relative_residual <= 1e-6);
  });
  CHECK(methods == 30);
}

TEST_CASE("graphs that do not divide the iterations between checks, or hold an odd number, are refused",
          "[cuda]") {
  for_each_cuda_solver([&](const auto&, const auto& method, Precision, const auto&) {
    if (!has_graphs(method)) return;
    auto config = [&](int interval, int recorded) {
      return method.space.complete({{"check_interval", interval}, {"graph_iterations", recorded}});
    };
    CHECK_NOTHROW(config(7, 1));
    CHECK_NOTHROW(config(20, 4));
    CHECK_THROWS_WITH(config(20, 5), ContainsSubstring("graph_iterations=5") && ContainsSubstring("even"));
    CHECK_THROWS_WITH(config(10, 20), ContainsSubstring("check_interval=10"));
  });
}

TEST_CASE("a residual that is replaced between graphs leaves the bits of single launches",
          "[cuda][solvers]") {
  EmulatedCuda device;
  const auto problem = std::make_shared<const LinearProblem>(make_problem("manufactured", {20, 9}));
  for (const SolverDescription& solver : solver_table())
    for (const SolverMethod& method : solver.methods(BackendKind::cuda)) {
      if (!find_setting(method.space.settings, "replace")) continue;
      INFO(method.name);
      const auto by = [&](int graph, int replace) {
        PreparedSolver prepared(
            solver, method, device, Precision::fp64,
            method.space.complete({{"check_interval", 4}, {"graph_iterations", graph}, {"replace", replace}}),
            problem);
        prepared.reset();
        const Outcome outcome = prepared.solve(1e-30, 20);
        return Solved{outcome, prepared.solution()};
      };
      const Solved single = by(1, 8), graphs = by(2, 8), never = by(2, 0);
      CHECK(graphs.outcome.history == single.outcome.history);
      CHECK(same_bits(graphs.u, single.u));
      CHECK(never.outcome.history != single.outcome.history);
    }
}

TEST_CASE("work that waits for the device cannot be captured", "[cuda]") {
  EmulatedCuda device;
  const DeviceScalar value(device);
  CHECK_THROWS_WITH(device.recorded([&] { value.get(); }), ContainsSubstring("captured"));
}

TEST_CASE(
    "an unsupported method states the reason and is not prepared: SOR along rows of a plane, on a 3-D box",
    "[cuda][solvers]") {
  EmulatedCuda device;
  const auto box = std::make_shared<const LinearProblem>(make_problem("manufactured", {5, 4, 3}));
  int refused = 0;
  for (const SolverDescription& solver : solver_table())
    for (const SolverMethod& method : solver.methods(BackendKind::cuda)) {
      const std::string reason = method.why_unsupported({box->grid, true, Precision::fp64});
      if (reason.empty()) continue;
      ++refused;
      CHECK_THROWS_WITH(PreparedSolver(solver, method, device, Precision::fp64, method.space.defaults(), box),
                        ContainsSubstring(reason));
      for (const Row& row : catalog())
        if (row.kind == RowKind::solver && row.name == solver.name && row.backend == BackendKind::cuda &&
            row.method == method.name)
          CHECK_FALSE(row.in_3d);
    }
  CHECK(refused > 0);
}
