// Heat in 3-D by the projection method.
#include <cmath>
#include <numbers>

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/temperature/temperature.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/flow/projection_solve.hpp"

using namespace cfdmark;

namespace {

constexpr double pi = std::numbers::pi;

double difference_of(const FlowFields& a, const FlowFields& b) {
  return std::max({largest_difference(a.temperature, b.temperature), largest_difference(a.mass_x, b.mass_x),
                   largest_difference(a.mass_y, b.mass_y), largest_difference(a.mass_z, b.mass_z),
                   largest_difference(a.p, b.p)});
}

// Returns the RMS error of the kernel's rate against -u . grad T + alpha lap T, for a known temperature and
// divergence-free velocities on n x n x n cells of a unit cube.
double rate_error(int n) {
  const Grid grid = Grid{n, n, n};
  const double h = 1.0 / n, alpha = 0.3;
  const auto field = [&](double x0, double y0, double z0, const auto& f) {
    HostField values(grid.with_halo(1), Precision::fp64);
    for_each_cell(values.grid(), true, [&](int i, int j, int k) {
      values.set(i, j, k, f((i + x0) * h, (j + y0) * h, (k + z0) * h));
    });
    return values;
  };
  const auto u = [](double x, double y, double z) { return std::sin(x) * std::cos(y) * std::cos(2 * z); };
  const auto v = [](double x, double y, double z) { return std::cos(x) * std::sin(y) * std::cos(2 * z); };
  const auto w = [](double x, double y, double z) { return -std::cos(x) * std::cos(y) * std::sin(2 * z); };
  const auto T = [](double x, double y, double z) { return std::sin(2 * x) * std::exp(y) * std::cos(3 * z); };
  const HostField fu = field(0, 0.5, 0.5, u), fv = field(0.5, 0, 0.5, v), fw = field(0.5, 0.5, 0, w),
                  fT = field(0.5, 0.5, 0.5, T),
                  zero = field(0, 0, 0, [](double, double, double) { return 0; }), rate = zero, next = zero;
  const CellArgs<Temperature3d> args{.precision = Precision::fp64,
                                     .kernel = {{{.dx = h, .dy = h, .dz = h}, alpha, {1, 0}}},
                                     .fields = {.faces = zero.view(),
                                                .u = fu.view(),
                                                .v = fv.view(),
                                                .w = fw.view(),
                                                .T = fT.view(),
                                                .rate = rate.view(),
                                                .new_T = next.view()}};
  dispatch_types(args, [&]<class V>(const typename Temperature3d::Fields<V>& views) {
    if constexpr (std::is_same_v<typename V::Number, double> && V::dims == 3)
      for_each_cell(grid, false, [&](int i, int j, int k) { sweep_cell<V>(args.kernel, views, i, j, k); });
  });
  double squares = 0;
  bool stepped = true;
  for_each_cell(grid, false, [&](int i, int j, int k) {
    const double x = (i + 0.5) * h, y = (j + 0.5) * h, z = (k + 0.5) * h;
    const double Tx = 2 * std::cos(2 * x) * std::exp(y) * std::cos(3 * z), Ty = T(x, y, z),
                 Tz = -3 * std::sin(2 * x) * std::exp(y) * std::sin(3 * z);
    const double exact =
        -(u(x, y, z) * Tx + v(x, y, z) * Ty + w(x, y, z) * Tz) + alpha * (1 - 4 - 9) * T(x, y, z);
    squares += std::pow(rate.get(i, j, k) - exact, 2);
    stepped = stepped && next.get(i, j, k) == fT.get(i, j, k) + rate.get(i, j, k);
  });
  CHECK(stepped);
  return std::sqrt(squares * h * h * h);
}

// Returns the error of a fluid at rest between cold west and east walls, whose heat decays as exp(-a t)
// sin(pi x) cos(pi y) cos(pi z).
double fading_error(int n) {
  Grid grid{n, n, n};
  FlowSide insulated;
  insulated.kind = FaceKind::slip;
  FlowProblem problem = flow_in_box(grid, {.viscosity = 0.5});
  problem.heat = Heat{.diffusivity = 1, .lift = 0};
  problem.thermal_faces =
      flow_in_box(grid, {.south = insulated, .north = insulated, .bottom = insulated, .top = insulated})
          .faces;
  problem.start.temperature = HostField(grid, Precision::fp64);
  const auto wave = [&](int i, int j, int k) {
    return std::sin(pi * (i + 0.5) / n) * std::cos(pi * (j + 0.5) / n) * std::cos(pi * (k + 0.5) / n);
  };
  for_each_cell(grid, false,
                [&](int i, int j, int k) { problem.start.temperature.set(i, j, k, wave(i, j, k)); });
  problem.description = find_flow_problem("natural_convection");
  problem.settings = Config{{"rayleigh", 0.0}, {"prandtl", 0.5}};
  const double end = 0.02;
  const SolvedFlow s = solved(std::make_shared<const FlowProblem>(problem),
                              projected({{"time_step", 2e-4}, {"end_time", end}, {"pressure_sweeps", 1}}));
  double largest = 0;
  for_each_cell(grid, false, [&](int i, int j, int k) {
    const double exact = std::exp(-3 * pi * pi * end) * wave(i, j, k);
    largest = std::max(largest, std::abs(s.flow.temperature.get(i, j, k) - exact));
  });
  CHECK(s.result("v_max") == 0);
  return largest;
}

// Returns convection that is equal in all planes: in 2-D, or in one plane between slip sides.
FlowFields plane(int dims, const char* method, Precision p) {
  FlowProblem problem = *posed_flow("natural_convection", {13, 10});
  if (dims == 3) {
    Grid grid{13, 10};
    grid.dims = 3;
    FlowSide slip;
    slip.kind = FaceKind::slip;
    const FlowProblem flat = problem;
    problem = flow_in_box(grid, {.viscosity = flat.cell.viscosity, .bottom = slip, .top = slip});
    problem.heat = flat.heat, problem.speed = flat.speed, problem.mass_scale = flat.mass_scale;
    problem.thermal_faces =
        flow_in_box(grid, {.south = slip, .north = slip, .bottom = slip, .top = slip}).faces;
    problem.start.temperature = HostField(grid, Precision::fp64);
    for_each_cell(flat.grid, true, [&](int i, int j, int k) {
      problem.start.temperature.set(i, j, k, flat.start.temperature.get(i, j, k));
    });
    problem.description = flat.description, problem.settings = flat.settings;
  }
  FlowOptions options =
      projected({{"time_step", 5e-4}, {"pressure_solver", "sor"}, {"pressure_sweeps", 7}}, 1e-30, 9);
  options.method = method, options.precision = p;
  return solved(std::make_shared<const FlowProblem>(problem), options).flow;
}

}  // namespace

TEST_CASE("convection and conduction of heat in 3-D are second order", "[flow][projection][heat]") {
  const double coarse = rate_error(16), fine = rate_error(32);
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.1));
  CHECK(fine < 0.02);
}

TEST_CASE("heat decays with second order in a cube with two cold and four insulated walls",
          "[flow][projection][heat]") {
  const double coarse = fading_error(6), fine = fading_error(12);
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.15));
  CHECK(fine < 4e-3);
}

TEST_CASE("without buoyancy conduction through a cube is exact", "[flow][projection][heat]") {
  const SolvedFlow s =
      solve_flow("natural_convection", {8, 6, 5}, {{"rayleigh", 0.0}}, projected({}, 1e-30, 30));
  CHECK(s.result("nusselt_hot") == Approx(1).epsilon(1e-12));
  CHECK(s.result("nusselt_cold") == Approx(1).epsilon(1e-12));
  CHECK(s.result("v_max") < 1e-12);
  CHECK(s.result("w_max") < 1e-12);
}

TEST_CASE("one plane of convection between slip sides has the bits of 2-D convection",
          "[flow][projection][heat]") {
  for (const char* method : {"plain", "fused"})
    for (Precision p : all_precisions) {
      INFO(method << " " << to_string(p));
      const FlowFields in_2d = plane(2, method, p), in_3d = plane(3, method, p);
      double largest = 0, speed = 0;
      for_each_cell(in_2d.p.grid(), false, [&](int i, int j, int k) {
        speed = std::max(speed, std::abs(in_2d.v.get(i, j, k)));
        largest =
            std::max({largest, std::abs(in_2d.temperature.get(i, j, k) - in_3d.temperature.get(i, j, k)),
                      std::abs(in_2d.u.get(i, j, k) - in_3d.u.get(i, j, k)),
                      std::abs(in_2d.v.get(i, j, k) - in_3d.v.get(i, j, k)),
                      std::abs(in_2d.p.get(i, j, k) - in_3d.p.get(i, j, k))});
      });
      CHECK(speed > 0.1);
      CHECK(largest == 0);
    }
}

// The heat that enters at the hot wall leaves at the cold one. Half a turn around z changes the sign of the
// temperature, and the two halves in z are mirror images.
TEST_CASE("convection in a cube conserves heat, keeps its symmetries, and is three-dimensional",
          "[flow][projection][heat]") {
  const int n = 12;
  const SolvedFlow s =
      solve_flow("natural_convection", {n, n, n}, {},
                 projected({{"check_interval", 50}, {"time_steps", "stable"}, {"pressure_sweeps", 8}}, 1e-7));
  CHECK(s.outcome.converged);
  CHECK(s.result("nusselt_hot") == Approx(s.result("nusselt_cold")).epsilon(1e-5));
  CHECK(s.result("nusselt_hot") > 1.5);
  const SolvedFlow square =
      solve_flow("natural_convection", {n, n}, {}, projected({{"check_interval", 50}}, 1e-6));
  CHECK(s.result("nusselt_hot") < square.result("nusselt_hot"));  // the additional walls slow it down
  double turned = 0, mirrored = 0, along_z = 0, over_y = 0;
  for_each_cell({n, n, n}, false, [&](int i, int j, int k) {
    const double T = s.flow.temperature.get(i, j, k);
    turned = std::max(turned, std::abs(T + s.flow.temperature.get(n - 1 - i, n - 1 - j, k)));
    mirrored = std::max(mirrored, std::abs(T - s.flow.temperature.get(i, j, n - 1 - k)));
    along_z = std::max(along_z, std::abs(T - s.flow.temperature.get(i, j, 0)));
    over_y = std::max(over_y, std::abs(T - s.flow.temperature.get(i, 0, k)));
  });
  CHECK(turned < 1e-5);
  CHECK(mirrored < 1e-5);
  CHECK(along_z > 0.01);
  CHECK(over_y > 0.1);
  CHECK(s.flow.v.get(0, n / 2, n / 2) > 1);  // upwards along the hot wall
  CHECK(s.result("w_max") > 0.1);
}

TEST_CASE("convection in a cube has the same bits by both methods and on all host backends",
          "[flow][projection][heat]") {
  for (Precision p : all_precisions) {
    const auto some = [&](BackendKind kind, const char* method) {
      FlowOptions options = projected({}, 1e-30, 5);
      options.backend = kind, options.method = method, options.precision = p;
      return solve_flow("natural_convection", {9, 10, 7}, {{"rayleigh", 1e5}}, options).flow;
    };
    for (const char* method : {"plain", "fused"}) {
      const FlowFields serial = some(BackendKind::serial, method);
      if (p != Precision::mixed) CHECK(difference_of(serial, some(BackendKind::serial, "plain")) == 0);
      for (BackendKind kind : {BackendKind::openmp, BackendKind::kokkos})
        if (unavailable_reason(kind).empty()) {
          INFO(to_string(p) << " " << to_string(kind) << " " << method);
          CHECK(difference_of(some(kind, method), serial) == 0);
        }
    }
  }
}
