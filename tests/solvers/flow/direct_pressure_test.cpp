// The projection method with a direct pressure solve by transforms: between walls, with periodic sides, and
// both.
#include <cmath>
#include <random>

#include "solvers/linear/direct/direct.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/flow/projection_solve.hpp"

using namespace cfdmark;

namespace {

const Config direct{{"pressure_solver", "direct"}};

// Returns the host backends that have transforms.
std::vector<BackendKind> backends_with_transforms() {
  std::vector<BackendKind> all;
  for (BackendKind kind : {BackendKind::serial, BackendKind::openmp})
    if (unavailable_reason(kind).empty())
      for (const DirectLibrary& library : direct_libraries(kind))
        if (library.missing.empty()) all.push_back(kind);
  if (all.empty()) WARN("skipped: built without a library of transforms");
  return all;
}

// Returns a box with random velocities, closed or periodic along each axis.
std::shared_ptr<const FlowProblem> noise(const Grid& grid, bool around_x, bool around_y, bool around_z) {
  FlowBox box{.width = 1.5, .height = 1, .depth = 0.8, .viscosity = 0.01};
  box.periodic_x = around_x, box.periodic_y = around_y, box.periodic_z = around_z;
  FlowProblem problem = flow_in_box(grid, box);
  problem.description = find_flow_problem("cavity");
  problem.settings = Config{{"reynolds", 100.0}};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-0.5, 0.5);
  HostField* const masses[] = {&problem.start.mass_x, &problem.start.mass_y, &problem.start.mass_z};
  const int cells[] = {grid.nx, grid.ny, grid.nz};
  const bool around[] = {around_x, around_y, around_z};
  for (int axis = 0; axis < grid.dims; ++axis) {
    HostField& mass = *masses[axis];
    for_each_cell(mass.grid(), false, [&](int i, int j, int k) {
      const int at[] = {i, j, k}, n = at[axis];
      if (n > 0 && n < cells[axis]) return mass.set(i, j, k, any(random) * problem.cell.area(axis));
      if (around[axis])
        mass.set(i, j, k,
                 n == 0 ? any(random) * problem.cell.area(axis)
                        : mass.get(axis == 0 ? 0 : i, axis == 1 ? 0 : j, axis == 2 ? 0 : k));
    });
  }
  return std::make_shared<const FlowProblem>(std::move(problem));
}

double difference_of(const FlowFields& a, const FlowFields& b) {
  double largest = std::max(largest_difference(a.mass_x, b.mass_x), largest_difference(a.mass_y, b.mass_y));
  if (a.p.grid().is_3d()) largest = std::max(largest, largest_difference(a.mass_z, b.mass_z));
  return largest;
}

FlowOptions on(BackendKind kind, FlowOptions options) {
  options.backend = kind;
  return options;
}

}  // namespace

// With a negligible time step the velocities are only projected.
TEST_CASE(
    "a projection by transforms leaves a divergence at rounding, and a second projection changes nothing",
    "[flow][projection][direct]") {
  for (BackendKind kind : backends_with_transforms())
    for (const Grid& grid : {Grid{24, 18}, Grid{11, 30}, Grid{10, 8, 6}})
      for (const int sides : {0, 1, 2, 4, 3, 7}) {  // one bit per periodic axis
        if (sides >= 4 && !grid.is_3d()) continue;
        INFO(to_string(kind) << " " << grid.dims << "-D, periodic: " << sides);
        if ((sides & 1 && grid.nx % 2) || (sides & 2 && grid.ny % 2)) continue;
        const auto problem = noise(grid, sides & 1, sides & 2, sides & 4);
        const Config config = with(direct, {{"time_step", 1e-13}});
        const SolvedFlow once = solved(problem, on(kind, projected(config, 1e-30, 1))),
                         twice = solved(problem, on(kind, projected(config, 1e-30, 2)));
        CHECK(once.found.mass < 1e-12);
        CHECK(largest_difference(once.flow.mass_x, problem->start.mass_x) > 0.1 * problem->cell.area(0));
        CHECK(difference_of(once.flow, twice.flow) < 1e-12);
      }
}

TEST_CASE("in 32 bits transforms leave a divergence at rounding", "[flow][projection][direct]") {
  for (BackendKind kind : backends_with_transforms())
    for (Precision p : {Precision::fp32, Precision::mixed}) {
      INFO(to_string(kind) << " " << to_string(p));
      FlowOptions options = on(kind, projected(with(direct, {{"time_step", 1e-6}}), 1e-30, 1));
      options.precision = p;
      const auto problem = noise({32, 24}, false, false, false);
      CHECK(solved(problem, options).found.mass < 1e-4);
      options.config = with(direct, {{"time_step", 1e-6}});
      options.max_iterations = 0;
      CHECK(solved(problem, options).found.mass > 1);
    }
}

TEST_CASE("cavity and convection are equal by transforms and by multigrid, step by step",
          "[flow][projection][direct]") {
  for (BackendKind kind : backends_with_transforms())
    for (const char* name : {"cavity", "natural_convection"})
      for (const Grid& grid : {Grid{24, 20}, Grid{10, 12, 9}})
        for (const char* method : {"plain", "fused"}) {
          INFO(to_string(kind) << " " << name << " " << grid.dims << "-D " << method);
          const auto some = [&](const Config& config) {
            FlowOptions options = on(kind, projected(config, 1e-30, 30));
            options.method = method;
            return solve_flow(name, grid, {}, options);
          };
          const SolvedFlow by_transforms = some(direct), by_cycles = some({{"pressure_sweeps", 40}});
          CHECK(difference_of(by_transforms.flow, by_cycles.flow) <
                1e-11 * posed_flow(name, grid)->mass_scale * posed_flow(name, grid)->speed);
          CHECK(by_transforms.found.mass < 1e-12);
          const double constant = by_transforms.flow.p.get(0, 0) - by_cycles.flow.p.get(0, 0);
          double largest = 0, size = 0;
          for_each_cell(grid, false, [&](int i, int j, int k) {
            const double p = by_transforms.flow.p.get(i, j, k);
            size = std::max(size, std::abs(p));
            largest = std::max(largest, std::abs(p - by_cycles.flow.p.get(i, j, k) - constant));
          });
          CHECK(largest < 1e-9 * size);
        }
}

TEST_CASE("cavity and convection converge to the same state by transforms as by multigrid",
          "[flow][projection][direct]") {
  if (backends_with_transforms().empty()) return;
  for (const auto& [name, result] : {std::pair{"cavity", "u_min"}, {"natural_convection", "nusselt_hot"}}) {
    INFO(name);
    const auto rest = [&](const Config& config) {
      return solve_flow(name, {16, 16}, {}, projected(with(config, {{"check_interval", 50}}), 1e-7));
    };
    const SolvedFlow by_transforms = rest(direct), by_cycles = rest({});
    CHECK(by_transforms.outcome.converged);
    CHECK(by_transforms.result(result) == Approx(by_cycles.result(result)).epsilon(1e-5));
  }
}

TEST_CASE("with periodic sides transforms project as many relaxation passes do",
          "[flow][projection][direct]") {
  if (backends_with_transforms().empty()) return;
  for (const Grid& grid : {Grid{16, 12}, Grid{8, 6, 10}}) {
    const auto vortices = [&](const Config& config) {
      return solve_flow(grid.is_3d() ? "taylor_green_3d" : "taylor_green", grid, {},
                        projected(config, 1e-30, 5))
          .flow;
    };
    CHECK(difference_of(vortices(direct), vortices(swept)) < 1e-12);
  }
  // A driven channel with one periodic direction.
  const auto channel = [](const Config& config) {
    return solve_flow("channel", {8, 16}, {{"ends", "periodic"}, {"reynolds", 10.0}},
                      projected(config, 1e-30, 20))
        .flow;
  };
  CHECK(difference_of(channel(direct), channel(swept)) < 1e-12);
}

TEST_CASE("with periodic sides multigrid and conjugate gradients project as many relaxation passes do",
          "[flow][projection]") {
  const Config cycles{{"pressure_solver", "multigrid"}, {"pressure_sweeps", 60}},
      judged{{"pressure_solver", "multigrid"}, {"pressure_sweeps", 90}, {"pressure_tolerance", 1e-12}},
      krylov{{"pressure_solver", "pcg"}, {"pressure_sweeps", 300}, {"pressure_tolerance", 1e-12}},
      both = with(krylov, {{"pressure_method", "multigrid"}});
  const auto flow = [](const char* problem, const Grid& grid, const Config& settings, const Config& config) {
    return solve_flow(problem, grid, settings, projected(config, 1e-30, 5)).flow;
  };
  for (const Config& config : {cycles, judged, krylov, both}) {
    INFO(config.text());
    for (const Grid& grid : {Grid{16, 12}, Grid{8, 6, 10}}) {
      const char* const vortices = grid.is_3d() ? "taylor_green_3d" : "taylor_green";
      CHECK(difference_of(flow(vortices, grid, {}, config), flow(vortices, grid, {}, swept)) < 1e-10);
    }
    // A driven channel with one periodic direction.
    const Config channel{{"ends", "periodic"}, {"reynolds", 10.0}};
    CHECK(difference_of(flow("channel", {8, 16}, channel, config), flow("channel", {8, 16}, channel, swept)) <
          1e-10);
  }
}

TEST_CASE("Kovasznay's flow is second order with a pressure by transforms", "[flow][projection][direct]") {
  if (backends_with_transforms().empty()) return;
  const auto error = [](int n) {
    const SolvedFlow s =
        solve_flow("kovasznay", {n, n}, {}, projected(with(direct, {{"check_interval", 50}}), 1e-7));
    const SolvedFlow other = solve_flow("kovasznay", {n, n}, {}, projected({{"check_interval", 50}}, 1e-7));
    CHECK(s.result("error_u_l2") == Approx(other.result("error_u_l2")).epsilon(1e-3));
    return s.result("error_u_l2");
  };
  CHECK(std::log2(error(16) / error(32)) == Approx(2).margin(0.3));
}

TEST_CASE("a flow by transforms has the same bits in every run", "[flow][projection][direct]") {
  for (BackendKind kind : backends_with_transforms()) {
    const auto once = [&] {
      return solve_flow("cavity", {40, 33}, {}, on(kind, projected(direct, 1e-30, 5))).flow;
    };
    INFO(to_string(kind));
    CHECK(difference_of(once(), once()) == 0);
  }
}

TEST_CASE("what transforms do not support is an error that names an alternative",
          "[flow][projection][direct]") {
  const auto refused = [](const std::shared_ptr<const FlowProblem>& problem, const Config& config,
                          const char* words, BackendKind kind = BackendKind::serial) {
    CHECK_THROWS_WITH(solved(problem, on(kind, projected(with(direct, config), 1e-30, 1))),
                      ContainsSubstring(words));
  };
  const auto cavity = posed_flow("cavity", {12, 12});
  refused(cavity, {{"pressure_tolerance", 0.1}}, "pressure_solver=direct");
  refused(cavity, {{"pressure_sweeps", 10}}, "leave pressure_sweeps");
  refused(cavity, {{"pressure_omega", 1.5}}, "pressure_omega needs pressure_solver=sor");
  if (unavailable_reason(BackendKind::kokkos).empty()) refused(cavity, {}, "kokkos", BackendKind::kokkos);
  if (backends_with_transforms().empty()) return refused(cavity, {}, "built without FFTW");
  FlowProblem with_body = flow_in_box({12, 12}, {.viscosity = 0.01, .is_body = [](double x, double y) {
                                                   return x > 0.4 && x < 0.6 && y > 0.4 && y < 0.6;
                                                 }});
  with_body.description = find_flow_problem("cavity");
  with_body.settings = Config{{"reynolds", 100.0}};
  refused(std::make_shared<const FlowProblem>(with_body), {}, "body");
  // Pressure equations of the other flow solvers have coefficients that vary from cell to cell.
  CHECK_THROWS_WITH(solve_flow("cavity", {12, 12}, {}, {.config = direct}),
                    ContainsSubstring("pressure_solver"));
}

TEST_CASE("a flow by transforms needs less memory than one by multigrid", "[flow][projection][direct]") {
  if (backends_with_transforms().empty()) return;
  const FlowMethod method = flow_method("projection", BackendKind::serial, "fused");
  const auto bytes = [&](const Config& config) {
    return flow_bytes(method, BackendKind::serial, Precision::fp64, {32, 32}, method.space.complete(config));
  };
  CHECK(bytes(direct) < bytes({}));
}
