// The projection method in 3-D.
#include <cmath>
#include <random>

#include "tests/catch.hpp"
#include "tests/solvers/flow/projection_solve.hpp"

using namespace cfdmark;

namespace {

double largest_difference_of(const FlowFields& a, const FlowFields& b) {
  return std::max({largest_difference(a.mass_x, b.mass_x), largest_difference(a.mass_y, b.mass_y),
                   largest_difference(a.mass_z, b.mass_z)});
}

// Returns a flow with random velocities.
std::shared_ptr<const FlowProblem> noise(const std::string& name, const Grid& grid, const Config& settings) {
  FlowProblem problem = *posed_flow(name, grid, settings);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-0.5, 0.5);
  const bool periodic = problem.periodic_x;
  HostField* const masses[] = {&problem.start.mass_x, &problem.start.mass_y, &problem.start.mass_z};
  const int cells[] = {grid.nx, grid.ny, grid.nz};
  for (int axis = 0; axis < 3; ++axis) {
    HostField& mass = *masses[axis];
    for_each_cell(mass.grid(), false, [&](int i, int j, int k) {
      const int at[] = {i, j, k}, n = at[axis];
      if (n > 0 && n < cells[axis]) return mass.set(i, j, k, any(random) * problem.cell.area(axis));
      if (periodic)
        mass.set(i, j, k,
                 n == 0 ? any(random) * problem.cell.area(axis)
                        : mass.get(axis == 0 ? 0 : i, axis == 1 ? 0 : j, axis == 2 ? 0 : k));
    });
  }
  return std::make_shared<const FlowProblem>(std::move(problem));
}

// Returns divergence-free noise between periodic sides: a negligible time step projects it.
std::shared_ptr<const FlowProblem> projected_noise(const Grid& grid, double reynolds) {
  FlowProblem problem = *noise("taylor_green_3d", grid, {{"reynolds", reynolds}});
  const auto start = std::make_shared<const FlowProblem>(problem);
  problem.start = solved(start, projected(with(swept, {{"time_step", 1e-13}}), 1e-30, 1)).flow;
  problem.start.time = 0;
  return std::make_shared<const FlowProblem>(std::move(problem));
}

// A cavity whose flow is equal in all planes: in 2-D, or in 3-D between slip or periodic sides in z.
enum class Span { none, slip, periodic };
std::shared_ptr<const FlowProblem> uniform_cavity(int nx, int ny, int nz, Span span, double depth) {
  FlowBox box{.depth = depth, .viscosity = 0.01};
  box.north.u = [](double, double) { return 1.0; };
  box.bottom.kind = box.top.kind = FaceKind::slip;
  box.periodic_z = span == Span::periodic;
  Grid grid{nx, ny, nz};
  grid.dims = span == Span::none ? 2 : 3;
  FlowProblem problem = flow_in_box(grid, box);
  problem.description = find_flow_problem("cavity");
  problem.settings = Config{{"reynolds", 100.0}};
  return std::make_shared<const FlowProblem>(std::move(problem));
}

}  // namespace

// With a negligible time step the velocities are only projected.
TEST_CASE("a projection in 3-D leaves no divergence, and a second projection changes nothing",
          "[flow][projection]") {
  for (const char* solver : {"multigrid", "cg", "bicgstab", "sor", "jacobi"}) {
    INFO(solver);
    const auto problem = noise("cavity", {12, 9, 10}, {});
    const bool is_slow = std::string_view(solver) == "jacobi";
    const Config config{
        {"pressure_solver", solver}, {"pressure_sweeps", is_slow ? 3000 : 300}, {"time_step", 1e-13}};
    const SolvedFlow once = solved(problem, projected(config, 1e-30, 1));
    const SolvedFlow twice = solved(problem, projected(config, 1e-30, 2));
    CHECK(once.found.mass < 1e-11);
    for (const auto& [now, before, area] :
         {std::tuple{&once.flow.mass_x, &problem->start.mass_x, problem->cell.area(0)},
          {&once.flow.mass_y, &problem->start.mass_y, problem->cell.area(1)},
          {&once.flow.mass_z, &problem->start.mass_z, problem->cell.area(2)}})
      CHECK(largest_difference(*now, *before) > 0.1 * area);
    CHECK(largest_difference_of(once.flow, twice.flow) < 1e-12);
  }
}

TEST_CASE("in 3-D the divergence after a pressure solve to a tolerance is of the size of the tolerance",
          "[flow][projection]") {
  const auto problem = noise("cavity", {16, 16, 16}, {});
  const double at_first = solved(problem, projected({}, 1e-30, 0)).found.mass;
  for (const double tolerance : {1e-2, 1e-6}) {
    INFO(tolerance);
    const Config config{{"pressure_tolerance", tolerance}, {"pressure_sweeps", 50}, {"time_step", 1e-9}};
    const double left = solved(problem, projected(config, 1e-30, 1)).found.mass;
    CHECK(left < 4 * tolerance * at_first);  // includes the residual of the cell with p = 0
    CHECK(left > 1e-3 * tolerance * at_first);
  }
}

TEST_CASE("one plane between slip sides has the bits of a 2-D flow", "[flow][projection]") {
  for (const char* convection : {"central", "upwind"})
    for (const char* method : {"plain", "fused"})
      for (Precision p : all_precisions) {
        INFO(convection << " " << method << " " << to_string(p));
        FlowOptions options = projected({{"convection", convection},
                                         {"time_step", 0.005},
                                         {"pressure_solver", "sor"},
                                         {"pressure_sweeps", 7}},
                                        1e-30, 9);
        options.method = method, options.precision = p;
        const FlowFields in_2d = solved(uniform_cavity(13, 10, 1, Span::none, 1), options).flow,
                         in_3d = solved(uniform_cavity(13, 10, 1, Span::slip, 1), options).flow;
        double largest = 0;
        for_each_cell(in_2d.mass_x.grid(), false, [&](int i, int j, int k) {
          largest = std::max(largest, std::abs(in_2d.mass_x.get(i, j, k) - in_3d.mass_x.get(i, j, k)));
        });
        for_each_cell(in_2d.p.grid(), false, [&](int i, int j, int k) {
          largest = std::max(largest, std::abs(in_2d.p.get(i, j, k) - in_3d.p.get(i, j, k)));
        });
        CHECK(largest == 0);
        CHECK(largest_difference(in_3d.w, HostField(in_3d.w.grid(), Precision::fp64)) == 0);
      }
}

TEST_CASE("a flow that is equal in all planes stays so and equals the 2-D flow", "[flow][projection]") {
  const FlowOptions options =
      projected(with(swept, {{"time_step", 0.006}, {"convection", "upwind"}}), 1e-30, 50);
  const double depth = 0.3;
  const FlowFields in_2d = solved(uniform_cavity(12, 10, 1, Span::none, 1), options).flow;
  CHECK(largest_difference(in_2d.u, HostField(in_2d.u.grid(), Precision::fp64)) > 0.1);
  for (const Span span : {Span::slip, Span::periodic}) {
    const FlowFields in_3d = solved(uniform_cavity(12, 10, 4, span, depth), options).flow;
    double largest = 0;
    for_each_cell(in_3d.u.grid(), false, [&](int i, int j, int k) {
      largest =
          std::max({largest, std::abs(in_2d.u.get(i, j) - in_3d.u.get(i, j, k)),
                    std::abs(in_2d.v.get(i, j) - in_3d.v.get(i, j, k)), std::abs(in_3d.w.get(i, j, k))});
    });
    CHECK(largest < 1e-12);
  }
}

// The equations are invariant under rotation: a lid that moves along z instead of x gives the rotated flow.
TEST_CASE("the flow in a cube is the same for every direction of the lid", "[flow][projection]") {
  for (const char* convection : {"central", "upwind"}) {
    const FlowOptions options =
        projected(with(swept, {{"time_step", 0.009}, {"convection", convection}}), 1e-30, 30);
    const Grid grid{8, 8, 8};
    const auto along_x = posed_flow("cavity", grid);
    FlowProblem turned = *along_x;
    for (HostField* velocity : {&turned.start.u, &turned.start.w})
      for_each_cell(grid, true, [&](int i, int j, int k) {
        velocity->set(i, j, k, velocity == &turned.start.w && j == grid.ny ? 1 : 0);
      });
    const FlowFields x = solved(along_x, options).flow,
                     z = solved(std::make_shared<const FlowProblem>(turned), options).flow;
    double largest = 0;
    for_each_cell(grid, false, [&](int i, int j, int k) {
      largest = std::max({largest, std::abs(x.u.get(i, j, k) - z.w.get(k, j, i)),
                          std::abs(x.v.get(i, j, k) - z.v.get(k, j, i)),
                          std::abs(x.w.get(i, j, k) - z.u.get(k, j, i))});
    });
    CHECK(largest < 1e-13);
    CHECK(largest_difference(x.w, HostField(grid, Precision::fp64)) > 1e-4);  // the flow is 3-D
  }
}

// Returns a velocity on the centreline of a cube with an even number of cells per side, by linear
// interpolation between two centres. Walls are those of the lid-driven cavity.
double on_centreline(const FlowFields& flow, char component, double at) {
  const int n = flow.u.grid().nx, m = n / 2;
  const auto value = [&](int along) {
    if (along < 0) return 0.0;
    if (along >= n) return component == 'u' ? 1.0 : 0.0;
    double sum = 0;
    for (int a = m - 1; a <= m; ++a)
      for (int b = m - 1; b <= m; ++b)
        sum += component == 'u' ? flow.u.get(a, along, b) : flow.v.get(along, a, b);
    return sum / 4;
  };
  const auto place = [&](int along) { return std::clamp((along + 0.5) / n, 0.0, 1.0); };
  const int left = int(std::floor(at * n - 0.5));
  const double share = (at - place(left)) / (place(left + 1) - place(left));
  return (1 - share) * value(left) + share * value(left + 1);
}

// Albensoeder and Kuhlmann 2005, tables 5 and 6, spectral. These grids are coarse for Re = 1000.
TEST_CASE("the cube's profiles approach published ones on finer grids", "[flow][projection]") {
  const std::pair<double, double> published_u[] = {{0.1016, -0.27293}, {0.1719, -0.25160}, {0.2813, -0.10999},
                                                   {0.5000, 0.00802},  {0.7344, 0.07334},  {0.8516, 0.12183},
                                                   {0.9531, 0.33171}};
  const std::pair<double, double> published_v[] = {{0.0938, 0.24407}, {0.1563, 0.22924},  {0.2344, 0.16987},
                                                   {0.5000, 0.03674}, {0.8047, -0.15223}, {0.9063, -0.43423},
                                                   {0.9453, -0.33511}};
  const auto difference = [&](int n) {
    const SolvedFlow s = solve_flow("cavity", {n, n, n}, {{"reynolds", 1000.0}},
                                    projected({{"time_steps", "stable"}, {"check_interval", 50}}, 1e-4));
    CHECK(s.outcome.converged);
    CHECK(s.found.mass < 1e-6);
    double sum = 0;
    for (const auto& [y, u] : published_u) sum += std::abs(on_centreline(s.flow, 'u', y) - u);
    for (const auto& [x, v] : published_v) sum += std::abs(on_centreline(s.flow, 'v', x) - v);
    return sum / 14;
  };
  const double coarse = difference(12), fine = difference(20);
  CHECK(coarse < 0.07);
  CHECK(fine < 0.75 * coarse);
}

// Central fluxes conserve energy; Adams-Bashforth steps change it with third order.
TEST_CASE("without viscosity the kinetic energy in 3-D changes only with the time steps",
          "[flow][projection]") {
  const auto problem = projected_noise({8, 8, 8}, 1e12);
  const auto drift = [&](double time_step) {
    const SolvedFlow s =
        solved(problem, projected(with(swept, {{"time_step", time_step}, {"end_time", 0.64}})));
    const auto energy = [&](const auto& look) { return SolvedFlow::named(look.second, "kinetic_energy"); };
    const double before = energy(s.outcome.result_history.front()),
                 after = energy(s.outcome.result_history.back());
    CHECK(before > 1);
    return std::abs(after / before - 1);
  };
  const double long_step = drift(0.04), short_step = drift(0.02);
  CHECK(long_step < 1e-3);
  CHECK(std::log2(long_step / short_step) > 1.8);
}

TEST_CASE("the 3-D Taylor-Green vortices start with the exact energy and dissipation", "[flow][projection]") {
  const auto start = [](int n) {
    return solve_flow("taylor_green_3d", {n, n, n}, {},
                      projected(with(swept, {{"pressure_sweeps", 1}}), 1e-30, 0));
  };
  const SolvedFlow coarse = start(8), fine = start(16);
  CHECK(fine.result("mean_energy") == Approx(0.125).epsilon(0.02));
  CHECK(fine.result("dissipation") == Approx(0.75 / 1600).epsilon(0.05));
  const auto order = [&](const char* of, double exact) {
    return std::log2(std::abs(coarse.result(of) / exact - 1) / std::abs(fine.result(of) / exact - 1));
  };
  CHECK(order("mean_energy", 0.125) == Approx(2).margin(0.1));
  CHECK(order("dissipation", 0.75 / 1600) == Approx(2).margin(0.1));
}

TEST_CASE("the 3-D Taylor-Green vortices lose energy at the rate of their dissipation",
          "[flow][projection]") {
  const auto until = [](double time) {
    return solve_flow(
        "taylor_green_3d", {12, 12, 12}, {{"reynolds", 20.0}},
        projected(with(swept, {{"pressure_sweeps", 300}, {"time_step", 0.01}, {"end_time", time}})));
  };
  const SolvedFlow before = until(0.46), middle = until(0.5), after = until(0.54);
  const double lost = (before.result("mean_energy") - after.result("mean_energy")) / 0.08;
  CHECK(lost == Approx(middle.result("dissipation")).epsilon(1e-4));
}

TEST_CASE("all projection methods on all host backends give the same bits in 3-D", "[flow][projection]") {
  for (const char* convection : {"central", "upwind"})
    for (Precision p : all_precisions) {
      const auto some = [&](BackendKind kind, const char* method) {
        FlowOptions options = projected({{"convection", convection}}, 1e-30, 5);
        options.backend = kind, options.method = method, options.precision = p;
        return solve_flow("cavity", {9, 10, 7}, {}, options).flow;
      };
      // In mixed precision `plain` stores rates in 32 bits between its kernels.
      const FlowFields plain = some(BackendKind::serial, "plain"),
                       fused = p == Precision::mixed ? some(BackendKind::serial, "fused") : plain;
      for (BackendKind kind : {BackendKind::serial, BackendKind::openmp, BackendKind::kokkos})
        for (const char* method : {"plain", "fused"}) {
          if (!unavailable_reason(kind).empty()) continue;
          INFO(convection << " " << to_string(p) << " " << to_string(kind) << " " << method);
          const FlowFields other = some(kind, method);
          const FlowFields& same = std::string_view(method) == "fused" ? fused : plain;
          CHECK(largest_difference_of(other, same) == 0);
          CHECK(largest_difference(other.p, same.p) == 0);
        }
    }
}

TEST_CASE("a time step in 3-D is limited by all three speeds", "[flow][projection]") {
  const auto step = [](const char* convection, double length, double reynolds) {
    solve_flow("cavity", {16, 16, 16}, {{"reynolds", reynolds}},
               projected({{"convection", convection}, {"time_step", length}}, 1e-30, 1));
  };
  CHECK_THROWS_WITH(step("central", 0.5, 1), ContainsSubstring("0.000326, limited by diffusion"));
  CHECK_THROWS_WITH(step("upwind", 0.5, 1000), ContainsSubstring("with speeds of 1 and 1 and 1"));
  CHECK_NOTHROW(step("central", 0.00032, 1));
}

TEST_CASE("a 2-D flow on a 3-D grid is an error, and a 3-D flow on a 2-D grid too", "[flow][projection]") {
  CHECK_THROWS_WITH(posed_flow("channel", {8, 8, 8}), ContainsSubstring("channel is a 2-D flow"));
  CHECK_THROWS_WITH(posed_flow("taylor_green_3d", {8, 8}), ContainsSubstring("is a 3-D flow"));
  CHECK_THROWS_WITH(posed_flow("taylor_green_3d", {8, 8, 7}),
                    ContainsSubstring("7 cells along the periodic axis z"));
  CHECK_THROWS_WITH(posed_flow("cavity", {8, 8, 2}), ContainsSubstring("at least 3 cells"));
}
