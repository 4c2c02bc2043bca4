// Flow solvers on an emulated device, with their iterations launched singly and captured as graphs.
#include <fmt/format.h>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

TEST_CASE(
    "every flow solver iterates on an emulated device as on a CPU, directly and with captured iterations",
    "[cuda][flow]") {
  EmulatedCuda device;
  for (const FlowSolverDescription& solver : flow_solver_table())
    for (const FlowMethod& method : solver.methods(BackendKind::cuda))
      for (Precision p : all_precisions) {
        INFO(solver.name << " " << method.name << " " << to_string(p));
        const auto some = [&](Backend& on, const FlowMethod& m, Config config) {
          config.set("check_interval", 4);
          return solve_flow_on(on, m,
                               solver.name == "piso" ? posed_flow("taylor_green", {24, 10})
                               : solver.name == "projection"
                                   ? posed_flow("natural_convection", {24, 10})
                                   : posed_flow("tunnel", {40, 10}, {{"diameter", 0.5}}),
                               {.solver = solver.name,
                                .method = method.name,
                                .precision = p,
                                .tolerance = 1e-30,
                                .max_iterations = 7,
                                .config = config});
        };
        const SolvedFlow direct = some(device, method, {{"graph_iterations", 1}}),
                         recorded = some(device, method, {{"graph_iterations", 2}}),
                         serial = some(backend(BackendKind::serial),
                                       flow_method(solver.name, BackendKind::serial, method.name), {});
        for (const SolvedFlow* cuda : {&direct, &recorded}) {
          CHECK(largest_difference(cuda->flow.u, serial.flow.u) == 0);
          CHECK(largest_difference(cuda->flow.v, serial.flow.v) == 0);
          CHECK(largest_difference(cuda->flow.p, serial.flow.p) == 0);
          CHECK(largest_difference(cuda->flow.mass_x, serial.flow.mass_x) == 0);
          CHECK(largest_difference(cuda->flow.mass_y, serial.flow.mass_y) == 0);
        }
      }
}

// A given outflow is a sum, which a device adds in another order.
TEST_CASE("projection with an outlet and a body gives the bits of a CPU on an emulated device",
          "[cuda][flow]") {
  EmulatedCuda device;
  for (const FlowMethod& method : find_flow_solver("projection")->methods(BackendKind::cuda))
    for (const char* outlet : {"pressure", "velocity"})
      for (const char* steps : {"fixed", "stable"}) {
        INFO(method.name << " " << outlet << " " << steps);
        const auto some = [&](Backend& on, const FlowMethod& m, Config config) {
          config.set("check_interval", 4), config.set("time_steps", steps), config.set("stable_share", 0.3);
          return solve_flow_on(on, m, posed_flow("tunnel", {40, 10}, {{"diameter", 0.5}, {"outlet", outlet}}),
                               {.solver = "projection",
                                .method = method.name,
                                .tolerance = 1e-30,
                                .max_iterations = 8,
                                .config = config});
        };
        const SolvedFlow direct = some(device, method, {{"graph_iterations", 1}}),
                         recorded = some(device, method, {{"graph_iterations", 2}}),
                         serial = some(backend(BackendKind::serial),
                                       flow_method("projection", BackendKind::serial, method.name), {});
        for (const SolvedFlow* cuda : {&direct, &recorded}) {
          const double rounding = outlet == std::string("velocity") ? 1e-12 : 0;
          CHECK(largest_difference(cuda->flow.u, serial.flow.u) <= rounding);
          CHECK(largest_difference(cuda->flow.p, serial.flow.p) <= rounding);
          CHECK(largest_difference(cuda->flow.mass_x, serial.flow.mass_x) <= rounding);
          CHECK(cuda->result("drag_coefficient") == Approx(serial.result("drag_coefficient")).epsilon(1e-12));
        }
        CHECK(serial.flow.mass_x.get(40, 5) > 0.01);  // it flows out
      }
}

// A dot product on the device adds in another order, so bits differ from those of a CPU.
TEST_CASE("linear solvers inside a flow solver give the same bits captured as launched singly",
          "[cuda][flow]") {
  EmulatedCuda device;
  const auto method_on = [](BackendKind kind) { return flow_method("simple", kind, "rhie_chow"); };
  for (const char* solver : {"cg", "pcg", "multigrid"})
    for (const char* problem : {"cavity", "tunnel", "channel"}) {  // walls, an outlet, periodic sides
      INFO(solver << " in the " << problem);
      const auto some = [&](Backend& on, Config config) {
        config.set("check_interval", 4), config.set("pressure_solver", solver);
        config.set("pressure_sweeps", std::string_view(solver) == "multigrid" ? 1 : 5);
        const Config settings = std::string_view(problem) == "tunnel"    ? Config{{"diameter", 0.5}}
                                : std::string_view(problem) == "channel" ? Config{{"ends", "periodic"}}
                                                                         : Config{};
        return solve_flow_on(on, method_on(on.kind()), posed_flow(problem, {40, 10}, settings),
                             {.tolerance = 1e-30, .max_iterations = 7, .config = config});
      };
      const SolvedFlow direct = some(device, {{"graph_iterations", 1}}),
                       recorded = some(device, {{"graph_iterations", 2}}),
                       serial = some(backend(BackendKind::serial), {});
      CHECK(largest_difference(recorded.flow.u, direct.flow.u) == 0);
      CHECK(largest_difference(recorded.flow.p, direct.flow.p) == 0);
      CHECK(largest_difference(direct.flow.u, serial.flow.u) < 1e-12);
      CHECK(largest_difference(direct.flow.p, serial.flow.p) < 1e-10);
    }
}

// A captured loop is part of the graph and tested on the device; with times by routine the host always tests.
TEST_CASE("inner solves to a tolerance give the same bits with the test on the device or on the host",
          "[cuda][flow]") {
  EmulatedCuda device;
  const FlowMethod method = flow_method("simple", BackendKind::cuda, "rhie_chow");
  for (const Config& inner :
       {Config{{"pressure_solver", "pcg"},
               {"pressure_sweeps", 12},
               {"momentum_solver", "bicgstab"},
               {"momentum_sweeps", 3},
               {"momentum_tolerance", 0.01}},
        Config{{"pressure_solver", "cg"}, {"pressure_sweeps", 12}},
        Config{{"pressure_solver", "multigrid"}, {"pressure_sweeps", 2}},
        Config{{"pressure_solver", "pcg"}, {"pressure_method", "multigrid"}, {"pressure_sweeps", 6}},
        Config{{"pressure_solver", "sor"}, {"pressure_sweeps", 25}}}) {
    INFO(inner.text());
    struct Result {
      FlowFields flow;
      Cost cost;
      int graphs;
    };
    const auto some = [&](int graph_iterations, bool by_routine) {
      Config config = inner;
      config.set("check_interval", 4), config.set("graph_iterations", graph_iterations);
      config.set("pressure_tolerance", 0.05);
      PreparedFlow prepared(simple_solver(), method, device, Precision::fp64, method.space.complete(config),
                            posed_flow("cavity", {8, 6}));
      prepared.reset();
      const int before = device.graphs_run();
      const Outcome outcome = by_routine ? prepared.solve_by_routine(1e-30, 5) : prepared.solve(1e-30, 5);
      return Result{prepared.solution(), outcome.cost, device.graphs_run() - before};
    };
    const Result by_host = some(1, true), single = some(1, false), recorded = some(2, false);
    for (const Result* judged : {&single, &recorded}) {
      CHECK(largest_difference(judged->flow.u, by_host.flow.u) == 0);
      CHECK(largest_difference(judged->flow.p, by_host.flow.p) == 0);
      CHECK(judged->cost.bytes == by_host.cost.bytes);  // the same number of iterations
    }
    CHECK(single.graphs > recorded.graphs);  // one per solve from the second on; in captured iterations they
                                             // are part of the graph
    CHECK(recorded.graphs > 0);
  }
}

TEST_CASE("an outlet with given velocity passes the same mass on an emulated device as on a core",
          "[cuda][flow]") {
  EmulatedCuda device;
  const auto some = [&](Backend& on) {
    return solve_flow_on(on, flow_method("simple", on.kind(), "rhie_chow"),
                         posed_flow("tunnel", {40, 10}, {{"diameter", 0.5}, {"outlet", "velocity"}}),
                         {.tolerance = 1e-30, .max_iterations = 25});
  };
  const SolvedFlow on_device = some(device), serial = some(backend(BackendKind::serial));
  CHECK(largest_difference(on_device.flow.u, serial.flow.u) < 1e-12);
  CHECK(largest_difference(on_device.flow.mass_x, serial.flow.mass_x) < 1e-12);
}

TEST_CASE("walls at true distances give the same bits on an emulated device as on a core",
          "[cuda][flow][walls]") {
  EmulatedCuda device;
  for (const char* solver : {"simple", "piso"})
    for (const Precision p : all_precisions) {
      INFO(solver << " " << to_string(p));
      const auto some = [&](Backend& on) {
        return solve_flow_on(on, flow_method(solver, on.kind(), "rhie_chow"),
                             posed_flow("tunnel", {40, 10}, {{"diameter", 0.5}, {"surface", "distances"}}),
                             {.solver = solver,
                              .precision = p,
                              .tolerance = 1e-30,
                              .max_iterations = 7,
                              .config = {{"pressure_solver", "sor"}, {"momentum_tolerance", 0.0}}});
      };
      const SolvedFlow on_device = some(device), serial = some(backend(BackendKind::serial));
      CHECK(largest_difference(on_device.flow.u, serial.flow.u) == 0);
      CHECK(largest_difference(on_device.flow.p, serial.flow.p) == 0);
      CHECK(on_device.result("drag_coefficient") ==
            Approx(serial.result("drag_coefficient")).epsilon(p == Precision::fp64 ? 1e-12 : 1e-5));
    }
}

// With periodic sides, whose ghosts follow each colour of an iteration; by upwind, which reads two layers of
// them.
TEST_CASE("the projection method with periodic sides gives the same bits on an emulated device as on a core",
          "[cuda][flow]") {
  EmulatedCuda device;
  const auto some = [&](Backend& on) {
    return solve_flow_on(
        on, flow_method("projection", on.kind(), "fused"), posed_flow("taylor_green", {24, 10}),
        {.solver = "projection",
         .method = "fused",
         .tolerance = 1e-30,
         .max_iterations = 5,
         .config = {{"pressure_solver", "sor"}, {"pressure_sweeps", 3}, {"convection", "upwind"}}});
  };
  const SolvedFlow on_device = some(device), serial = some(backend(BackendKind::serial));
  CHECK(largest_difference(on_device.flow.mass_x, serial.flow.mass_x) == 0);
  CHECK(largest_difference(on_device.flow.p, serial.flow.p) == 0);
}

TEST_CASE("the projection method in 3-D gives the same bits on an emulated device as on a core",
          "[cuda][flow]") {
  EmulatedCuda device;
  for (const char* problem : {"cavity", "taylor_green_3d"})
    for (const char* method : {"plain", "fused"})
      for (const char* convection : {"central", "upwind"}) {
        INFO(problem << " " << method << " " << convection);
        const auto some = [&](Backend& on) {
          return solve_flow_on(
              on, flow_method("projection", on.kind(), method), posed_flow(problem, {12, 6, 8}),
              {.solver = "projection",
               .method = method,
               .tolerance = 1e-30,
               .max_iterations = 3,
               .config = {{"pressure_solver", "sor"}, {"pressure_sweeps", 3}, {"convection", convection}}});
        };
        const SolvedFlow on_device = some(device), serial = some(backend(BackendKind::serial));
        CHECK(largest_difference(on_device.flow.mass_x, serial.flow.mass_x) == 0);
        CHECK(largest_difference(on_device.flow.mass_z, serial.flow.mass_z) == 0);
        CHECK(largest_difference(on_device.flow.p, serial.flow.p) == 0);
      }
}

// Residual tests take most of the time: reductions, whose threads wait for each other.
TEST_CASE("heat in 3-D and eddy viscosity give the same bits on an emulated device as on a core",
          "[cuda][flow]") {
  EmulatedCuda device;
  const Config smagorinsky{{"eddy_viscosity", "smagorinsky"}, {"smagorinsky_constant", 0.17}};
  const auto check = [&](const char* problem, const Grid& grid, Config config, int graph_iterations) {
    INFO(problem << " " << grid.dims << "-D, graphs of " << graph_iterations);
    config.set("pressure_solver", "sor"), config.set("pressure_sweeps", 1), config.set("check_interval", 4);
    const auto some = [&](Backend& on, const Config& all) {
      return solve_flow_on(on, flow_method("projection", on.kind(), "plain"), posed_flow(problem, grid),
                           {.solver = "projection",
                            .method = "plain",
                            .tolerance = 1e-30,
                            .max_iterations = 4,
                            .config = all});
    };
    const SolvedFlow serial = some(backend(BackendKind::serial), config);
    config.set("graph_iterations", graph_iterations);
    const SolvedFlow cuda = some(device, config);
    CHECK(largest_difference(cuda.flow.mass_x, serial.flow.mass_x) == 0);
    CHECK(largest_difference(cuda.flow.mass_y, serial.flow.mass_y) == 0);
    CHECK(largest_difference(cuda.flow.p, serial.flow.p) == 0);
    if (grid.is_3d()) CHECK(largest_difference(cuda.flow.mass_z, serial.flow.mass_z) == 0);
    if (std::string_view(problem) != "natural_convection") return;
    CHECK(largest_difference(cuda.flow.temperature, serial.flow.temperature) == 0);
  };
  check("natural_convection", {10, 6, 7}, {}, 1);
  check("natural_convection", {14, 9}, smagorinsky, 2);
  check("natural_convection", {9, 6, 7}, smagorinsky, 1);
  check("cavity", {14, 9}, smagorinsky, 2);
  check("cavity", {10, 6, 7}, smagorinsky, 1);
  check("taylor_green_3d", {8, 6, 8}, smagorinsky, 1);
}

// Step lengths are in device memory, where captured steps read them.
TEST_CASE("steps from the stability limit give the same bits on an emulated device, directly and captured",
          "[cuda][flow]") {
  EmulatedCuda device;
  for (const char* method : {"plain", "fused"}) {
    const auto some = [&](Backend& on, Config config) {
      config.set("time_steps", "stable"), config.set("check_interval", 4), config.set("pressure_sweeps", 3);
      config.set("pressure_solver", "sor"), config.set("end_time", 0.02);
      return solve_flow_on(on, flow_method("projection", on.kind(), method),
                           posed_flow("natural_convection", {12, 10}),
                           {.solver = "projection", .method = method, .config = config});
    };
    const SolvedFlow direct = some(device, {{"graph_iterations", 1}}),
                     recorded = some(device, {{"graph_iterations", 2}}),
                     serial = some(backend(BackendKind::serial), {});
    CHECK(serial.outcome.converged);
    for (const SolvedFlow* cuda : {&direct, &recorded}) {
      CHECK(cuda->outcome.iterations == serial.outcome.iterations);
      CHECK(cuda->flow.time == serial.flow.time);
      CHECK(largest_difference(cuda->flow.mass_x, serial.flow.mass_x) == 0);
      CHECK(largest_difference(cuda->flow.temperature, serial.flow.temperature) == 0);
    }
  }
}

TEST_CASE("the projection method uses the requested block shapes, with the bits of a core", "[cuda][flow]") {
  EmulatedCuda device;
  const auto some = [&](Backend& on, Config config) {
    config.set("convection", "upwind"), config.set("pressure_sweeps", 1);
    return solve_flow_on(on, flow_method("projection", on.kind(), "plain"), posed_flow("cavity", {10, 6, 8}),
                         {.solver = "projection",
                          .method = "plain",
                          .tolerance = 1e-30,
                          .max_iterations = 2,
                          .config = config});
  };
  const SolvedFlow on_device = some(device, {{"block_shape", "16x1x4"}}),
                   serial = some(backend(BackendKind::serial), {});
  CHECK(largest_difference(on_device.flow.mass_x, serial.flow.mass_x) == 0);
  CHECK(largest_difference(on_device.flow.mass_z, serial.flow.mass_z) == 0);
  CHECK(largest_difference(on_device.flow.p, serial.flow.p) == 0);
}

TEST_CASE("the pressure iterations of a flow use the requested method, with the bits of a core",
          "[cuda][flow]") {
  const auto some = [](Backend& on, Config config, const char* problem) {
    config.set("pressure_solver", "sor"), config.set("pressure_sweeps", 3);
    return solve_flow_on(on, flow_method("projection", on.kind(), "plain"), posed_flow(problem, {24, 10}),
                         {.solver = "projection",
                          .method = "plain",
                          .tolerance = 1e-30,
                          .max_iterations = 2,
                          .config = config});
  };
  for (const char* problem : {"cavity", "taylor_green"}) {
    const SolvedFlow serial = some(backend(BackendKind::serial), {}, problem);
    for (const char* way : {"plain", "shared", "shared_branches", "readonly"}) {
      INFO(problem << " " << way);
      EmulatedCuda device;
      const SolvedFlow on_device = some(device, {{"sweep_method", way}}, problem);
      CHECK(largest_difference(on_device.flow.p, serial.flow.p) == 0);
      CHECK(largest_difference(on_device.flow.mass_x, serial.flow.mass_x) == 0);
    }
  }
  CudaOffline offline;
  const FlowMethod method = flow_method("projection", BackendKind::cuda, "plain");
  FlowDomain domain;
  domain.anchor = {0, 0, 0};
  FlowSystem system(offline, Precision::fp64, {16, 8}, domain, nullptr, method.arrangement);
  method.prepare(system,
                 method.space.complete({{"pressure_solver", "sor"}, {"sweep_method", "shared_branches"}}));
  int of_it = 0;
  for (const Launch& launch : offline.launches())
    of_it += launch.function.expression.find("shared_branches") != std::string::npos;
  CHECK(of_it == 2);  // one per colour
  CHECK_THROWS_AS(method.space.complete({{"sweep_method", "shared"}}), std::invalid_argument);
}

TEST_CASE("PISO with periodic sides gives the bits of a core, also with pressure iterations",
          "[cuda][flow]") {
  const auto vortices = [](Backend& on, const char* method) {
    return solve_flow_on(on, flow_method("piso", on.kind(), method), posed_flow("taylor_green", {24, 10}),
                         {.solver = "piso",
                          .method = method,
                          .tolerance = 1e-30,
                          .max_iterations = 3,
                          .config = {{"pressure_solver", "sor"}, {"pressure_sweeps", 20}}});
  };
  EmulatedCuda device;
  for (const char* method : {"rhie_chow", "paper"}) {
    INFO(method);
    const SolvedFlow on_device = vortices(device, method),
                     serial = vortices(backend(BackendKind::serial), method);
    CHECK(largest_difference(on_device.flow.u, serial.flow.u) == 0);
    CHECK(largest_difference(on_device.flow.p, serial.flow.p) == 0);
  }
}

TEST_CASE("SIMPLE and PISO give the bits of a core with iterations in one launch and along strips",
          "[cuda][flow]") {
  for (const char* solver : {"simple", "piso"}) {
    const auto some = [&](Backend& on, Config config) {
      config.set("pressure_solver", "sor"), config.set("pressure_sweeps", 40);
      return solve_flow_on(on, flow_method(solver, on.kind(), "rhie_chow"),
                           posed_flow("tunnel", {40, 10}, {{"diameter", 0.5}}),
                           {.solver = solver, .tolerance = 1e-30, .max_iterations = 2, .config = config});
    };
    EmulatedCuda device;
    const SolvedFlow serial = some(backend(BackendKind::serial), {}),
                     in_one = some(device, {{"sweep_method", "persistent"}}),
                     down_strips = some(device, {{"sweep_method", "wavefront"}});
    INFO(solver);
    for (const SolvedFlow& on_device : {in_one, down_strips}) {
      CHECK(largest_difference(on_device.flow.p, serial.flow.p) == 0);
      CHECK(largest_difference(on_device.flow.u, serial.flow.u) == 0);
    }
  }
  CudaOffline offline;
  const FlowMethod simple = flow_method("simple", BackendKind::cuda, "rhie_chow");
  FlowSystem system(offline, Precision::fp64, {40, 20}, FlowDomain());
  simple.prepare(system, simple.space.complete({{"sweep_method", "persistent"}}));
  int of_it = 0;
  for (const Launch& launch : offline.launches())
    of_it += launch.function.expression.find("red_black_persistent") != std::string::npos;
  CHECK(of_it == 3);  // u, v, p'
  // Two passes, back and forth, for each of u, v and p': the default on a large grid.
  const auto passes_of = [&](const Grid& g, const char* method, const char* function) {
    CudaOffline device;
    FlowSystem of(device, Precision::fp64, g, FlowDomain());
    simple.prepare(of, simple.space.complete({{"sweep_method", method}, {"sweep_depth", 8}}));
    int passes = 0;
    for (const Launch& launch : device.launches())
      passes += launch.function.expression.find(function) != std::string::npos;
    return passes;
  };
  CHECK(passes_of({40, 20}, "usual", "red_black_wavefront") == 0);
  CHECK(passes_of({40, 20}, "usual", "red_black_tiled") > 0);
  CHECK(passes_of({40, 20}, "wavefront", "red_black_wavefront") > 0);
  CHECK(passes_of({2048, 2048}, "usual", "red_black_wavefront") ==
        passes_of({40, 20}, "wavefront", "red_black_wavefront"));
  EmulatedCuda device;
  CHECK_THROWS_AS(solve_flow_on(device, flow_method("piso", BackendKind::cuda, "rhie_chow"),
                                posed_flow("taylor_green", {24, 10}),
                                {.solver = "piso", .config = {{"sweep_method", "persistent"}}}),
                  std::invalid_argument);
}

TEST_CASE("block_shape sets the shape of every kernel of a step and of its iterations, and of no others",
          "[cuda][flow]") {
  const FlowMethod method = flow_method("projection", BackendKind::cuda, "plain");
  const Setting* const setting = find_setting(method.space.settings, "block_shape");
  REQUIRE(setting);
  for (const Value& shape : setting->values) {
    CudaOffline offline;
    FlowDomain domain;
    domain.anchor = {0, 0, 0};
    FlowSystem system(offline, Precision::fp64, {16, 8, 8}, domain, nullptr, method.arrangement);
    Config config;
    config.set("block_shape", shape);
    method.prepare(system, method.space.complete(config));
    int launches = 0;
    for (const Launch& launch : offline.launches()) {
      const std::string& what = launch.function.expression;
      const auto [x, y, z] = launch.threads;
      bool of_step = false;
      for (const char* kernel :
           {"<cfdmark::MomentumFluxes3d", "<cfdmark::AdamsBashforth3d", "<cfdmark::RedBlackSor",
            "<cfdmark::VelocityDivergence3d", "<cfdmark::VelocityCorrection3d"})
        of_step = of_step || what.find(kernel) != std::string::npos;
      const std::string expected = of_step && shape.choice() != "usual" ? shape.choice() : "64x4x1";
      INFO(shape.choice() << " " << what);
      // Always one block: the final reduction, and multigrid's coarse levels.
      const bool is_one_block =
          what.find("join") != std::string::npos || what.find("red_black_levels") != std::string::npos;
      if (!is_one_block) CHECK(fmt::format("{}x{}x{}", x, y, z) == expected);
      launches += of_step;
    }
    CHECK(launches > 10);
  }
}

TEST_CASE("a flow can be prepared with every number of iterations per launch that a tuner tries",
          "[cuda][flow]") {
  const FlowMethod method = flow_method("simple", BackendKind::cuda, "rhie_chow");
  const auto depth = std::find_if(method.space.settings.begin(), method.space.settings.end(),
                                  [](const Setting& s) { return s.name == "sweep_depth"; });
  REQUIRE(depth != method.space.settings.end());
  REQUIRE(depth->values.size() > 2);
  for (const Value& value : depth->values) {
    CudaOffline offline;
    FlowSystem system(offline, Precision::fp64, {40, 20}, FlowDomain());
    Config config;
    config.set("sweep_depth", value);
    CHECK_NOTHROW(method.prepare(system, method.space.complete(config)));
  }
}
