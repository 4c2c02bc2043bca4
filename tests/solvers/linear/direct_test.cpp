// Poisson's equation by sine transforms: claims that need no other solver, and what is rejected. With a GPU
// they cover cuFFT too; without one, see cuda_emulation/direct_test.cpp.
#include "solvers/linear/direct/direct.hpp"

#include <cmath>
#include <numbers>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

using std::numbers::pi;

// Returns the backends that have transforms, with their method.
std::vector<std::pair<BackendKind, SolverMethod>> direct_here() {
  std::vector<std::pair<BackendKind, SolverMethod>> all;
  for (BackendKind kind : backends_here())
    for (const SolverMethod& method : solver_named("direct").methods(kind))
      if (can_do(method, {{2, 2}, true, Precision::fp64})) all.emplace_back(kind, method);
  if (all.empty()) WARN("skipped: built without a library of transforms");
  return all;
}

Solved solve_directly(BackendKind kind, const SolverMethod& method, Precision p,
                      const std::shared_ptr<const LinearProblem>& problem, double tolerance,
                      const Config& config = {}) {
  return solve("direct", method, backend(kind), p, problem, {tolerance, 20, config});
}

// Sines with 2, 3 and 1 half waves, and their right-hand side in the difference equations: since sin(a - d) +
// sin(a + d) = 2 cos(d) sin(a), each direction contributes (2 - 2 cos(waves pi h)) / h^2 times the wave.
double waves(const Config&, const Grid& g, double x, double y, double z) {
  return std::sin(2 * pi * x) * std::sin(3 * pi * y) * (g.is_3d() ? std::sin(pi * z) : 1);
}
double source_of_waves(const Config& c, const Grid& g, double x, double y, double z) {
  const Spacing h(g);
  const auto of = [](int waves, double h) { return (2 - 2 * std::cos(waves * pi * h)) / (h * h); };
  return (of(2, h.x) + of(3, h.y) + (g.is_3d() ? of(1, h.z) : 0)) * waves(c, g, x, y, z);
}
const ProblemDescription wave_problem{.name = "waves",
                                      .help = "sines, exact of the difference equations",
                                      .exact = waves,
                                      .source = source_of_waves};

// Powers of two, one less, primes minus one and plus one, a line, a box of unequal sides.
const Grid sizes[] = {{1, 1},   {1, 9},    {64, 63},    {65, 64},     {96, 100}, {101, 97},
                      {2, 300}, {3, 3, 3}, {31, 16, 7}, {12, 28, 40}, {1, 5, 2}};

}  // namespace

TEST_CASE("the eigenvalues of two points are 1 and 3, and of three 2 - sqrt 2, 2 and 2 + sqrt 2",
          "[direct]") {
  Operator a;
  a.wx = 1, a.wy = 10, a.wz = 0, a.centre = 22;
  const Eigenvalues of = eigenvalues(a, {2, 3}, zero_ends);
  REQUIRE(of.x.size() == 2);
  REQUIRE(of.y.size() == 3);
  CHECK(of.z == std::vector<double>{0});
  CHECK(of.x[0] == Approx(1).epsilon(1e-15));
  CHECK(of.x[1] == Approx(3).epsilon(1e-15));
  CHECK(of.y[0] == Approx(10 * (2 - std::sqrt(2))).epsilon(1e-15));
  CHECK(of.y[1] == Approx(20).epsilon(1e-15));
  CHECK(of.y[2] == Approx(10 * (2 + std::sqrt(2))).epsilon(1e-15));
  a.centre += 0.5;  // with a term u / 2 in the equation
  CHECK(eigenvalues(a, {2, 3}, zero_ends).x[0] == Approx(1.5).epsilon(1e-15));
}

TEST_CASE("one iteration leaves a residual at rounding for every number of points", "[direct]") {
  for (const auto& [kind, method] : direct_here())
    for (const Grid& g : sizes)
      for (Precision p : all_precisions) {
        const auto problem = posed("manufactured", g);
        const double unit = p == Precision::fp32 ? 6e-8 : 1.1e-16;
        // Rounding of u in up to 8 terms.
        const double allowed = 40 * unit * problem->constant.centre * norm(problem->exact) /
                               residual_norm(*problem, problem->initial);
        INFO(to_string(kind) << " " << to_string(p) << " " << g.nx << "x" << g.ny << "x" << g.nz);
        const Solved s = solve_directly(kind, method, p, problem, std::max(allowed, 1e-300));
        CHECK(s.outcome.converged);
        if (p != Precision::mixed) CHECK(s.outcome.iterations == 1);  // mixed: a round gains 32 bits
        CHECK(residual_norm(*problem, s.u) <= 1.1 * allowed * residual_norm(*problem, problem->initial));
      }
}

TEST_CASE("sines, the eigenvectors of the equations, are solved exactly", "[direct]") {
  for (const auto& [kind, method] : direct_here())
    for (const Grid& g : {Grid{40, 31}, {37, 64}, {12, 9, 15}}) {
      const auto problem = std::make_shared<const LinearProblem>(make_problem(wave_problem, g));
      INFO(to_string(kind) << " " << g.nx << "x" << g.ny << "x" << g.nz);
      CHECK(solve_directly(kind, method, Precision::fp64, problem, 1e-10).error.max < 1e-12);
      CHECK(solve_directly(kind, method, Precision::fp32, problem, 1e-4).error.max < 1e-4);
    }
}

TEST_CASE("the error of a direct solve is second order in the mesh width", "[direct]") {
  for (const auto& [kind, method] : direct_here())
    for (bool d3 : {false, true}) {
      const auto error = [&](int n) {
        const auto problem = posed("manufactured", d3 ? Grid{n, n, n} : Grid{n, n});
        return solve_directly(kind, method, Precision::fp64, problem, 1e-11).error.l2;
      };
      INFO(to_string(kind) << (d3 ? " 3-D" : " 2-D"));
      const double order = std::log2(error(15) / error(31));
      CHECK(order > 1.9);
      CHECK(order < 2.1);
    }
}

TEST_CASE("numbers of threads and measured plans change the answer only by rounding", "[direct]") {
  const auto problem = posed("heated_plate", {63, 63});
  for (const auto& [kind, method] : direct_here()) {
    if (!find_setting(method.space.settings, "planning")) continue;
    const HostField estimated = solve_directly(kind, method, Precision::fp64, problem, 1e-11).u;
    std::vector<Config> configs = {{{"planning", "measure"}}};
    if (find_setting(method.space.settings, "threads")) configs.push_back({{"threads", 1}});
    for (const Config& config : configs) {
      INFO(to_string(kind) << " " << config.text());
      const Solved s = solve_directly(kind, method, Precision::fp64, problem, 1e-11, config);
      CHECK(s.outcome.iterations == 1);
      CHECK(s.u.get(31, 31) == Approx(0.25).epsilon(1e-12));
      CHECK(s.u.get(17, 50) == Approx(estimated.get(17, 50)).epsilon(1e-12));
    }
  }
}

TEST_CASE("a direct solve stops at rounding level and reports the seconds of its set-up", "[direct]") {
  for (const auto& [kind, method] : direct_here()) {
    const Solved s = solve_directly(kind, method, Precision::fp64, posed("manufactured", {63, 63}), 1e-30);
    INFO(to_string(kind));
    CHECK_FALSE(s.outcome.converged);
    CHECK(s.outcome.iterations < 6);
    CHECK(s.outcome.relative_residual < 1e-13);
    REQUIRE(s.outcome.results.size() == 1);
    CHECK(s.outcome.results[0].name == "setup_seconds");
    CHECK(s.outcome.results[0].value > 0);
  }
}

TEST_CASE("a direct solve needs memory for u, b and the transformed residual only", "[direct][memory]") {
  for (const auto& [kind, method] : direct_here())
    if (kind != BackendKind::cuda) {
      const Grid g{100, 50};
      CHECK(solver_bytes(method, kind, {g, true, Precision::fp64}, method.space.defaults()) ==
            3 * Layout(g).elements * sizeof(double) + sizeof(double));
    }
}

TEST_CASE("variable coefficients are an error that names a solver for them", "[direct]") {
  int rows = 0;
  for (const Row& row : catalog()) {
    if (row.name != "direct" || !row.unavailable.empty()) continue;
    ++rows;
    for (const char* problem : {"jump", "convection", "heated_plate_cells"}) {
      INFO(row_name(row) << " " << problem);
      CHECK_THAT(row.unsupported(Grid{9, 9}, {{"problem", problem}}),
                 ContainsSubstring("coefficient arrays; use multigrid"));
    }
    CHECK(row.unsupported(Grid{9, 9}, {{"problem", "heated_plate"}}) == "");
    CHECK(row.field_bytes(Grid{9, 9}, {{"problem", "heated_plate"}}) > 3 * 81 * 4);
  }
  CHECK((rows > 0) == (!fftw_library_version().empty() || (built_with_cuda && !backends_here().empty() &&
                                                           backends_here().back() == BackendKind::cuda)));
}

TEST_CASE("a method whose library is missing reports it and is unavailable", "[direct]") {
  const SolverMethod missing = missing_method("fftw", "built without FFTW");
  CHECK(missing.why_unsupported({{9, 9}, true, Precision::fp64}) == "built without FFTW");
  CHECK_THROWS_WITH(PreparedSolver(solver_named("direct"), missing, backend(BackendKind::serial),
                                   Precision::fp64, {}, posed("heated_plate", {9, 9})),
                    ContainsSubstring("fftw: built without FFTW"));
  for (const Row& row : catalog())
    if (row.name == "direct" && row.backend == BackendKind::serial) {
      CHECK(row.unavailable.empty() == !fftw_library_version().empty());
      if (!row.unavailable.empty()) CHECK_THAT(row.unavailable, ContainsSubstring("built without FFTW"));
    }
}
