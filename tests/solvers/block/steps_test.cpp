// Block solvers on flux-split systems: convergence rates, answers, and equal bits of all methods.
#include <cmath>
#include <cstring>

#include "kernels/device/backends/counting.hpp"
#include "tests/solvers/block/block_solve.hpp"
#include "tests/solvers/linear/counting.hpp"

using namespace cfdmark;

namespace {

const Grid points{24, 10, 16};

bool same_bits(const HostField& a, const HostField& b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

// Returns the residual reduction per step between two steps.
double factor(const Outcome& outcome, int from, int to) {
  return std::pow(outcome.history.at(to).second / outcome.history.at(from).second, 1.0 / (to - from));
}

template <class F>
void for_each_component(const Grid& g, const F& f) {
  for (int c = 0; c < block_rows; ++c)
    for_each_cell(g, false, [&](int i, int j, int k) {
      f(i, j, k + c * block_component_planes(g, block_problem_halo));
    });
}

// Returns normal noise: ten times the deviation of the problem's unknowns from 1.
HostField noise_of(const BlockProblem& problem) {
  HostField noise(problem.exact.grid(), Precision::fp64);
  for_each_component(problem.grid,
                     [&](int i, int j, int k) { noise.set(i, j, k, 10 * (problem.exact.get(i, j, k) - 1)); });
  return noise;
}

HostField right_side_of(const BlockProblem& problem, const HostField& exact) {
  const HostField zero(exact.grid(), Precision::fp64);
  HostField b = block_residual(*problem.description, problem.grid, problem.matrices, zero, exact);
  for_each_component(problem.grid, [&](int i, int j, int k) { b.set(i, j, k, -b.get(i, j, k)); });
  return b;
}

struct Sweeps {
  int from = 20, to = 40;
};
// Returns the residual reduction per pass between two numbers of passes, alternately forward and backward.
double factor_of_a_sweep(const BlockProblem& problem, BlockSweep sweep, HostField b, HostField x,
                         Sweeps count = {}) {
  HostField matrices = problem.matrices, next(b.grid(), Precision::fp64);
  const Method<BlockArgs> method = block_methods(BackendKind::serial, sweep).front();
  const auto prepared = [&](HostField& old, HostField& fresh, bool backward) {
    const BlockArgs args{.grid = problem.grid,
                         .sweep = sweep,
                         .matrices = matrices.view(),
                         .b = b.view(),
                         .old = old.view(),
                         .next = fresh.view(),
                         .backward = backward};
    return method.prepare(backend(BackendKind::serial), args, method.space.defaults()).run;
  };
  const auto forward = prepared(x, next, false), backward = prepared(next, x, true);
  const auto residual = [&] {
    return block_norm(problem.grid, block_residual(*problem.description, problem.grid, matrices, b, x));
  };
  double first = 0;
  for (int n = 0; n < count.to; n += 2) {
    if (n == count.from) first = residual();
    forward(), backward();
  }
  return std::pow(residual() / first, 1.0 / (count.to - count.from));
}
HostField zero_of(const BlockProblem& problem) { return HostField(problem.exact.grid(), Precision::fp64); }

}  // namespace

TEST_CASE(
    "the matrices of a flux-split system are full, and a row's neighbour entries sum to more than 1 on "
    "average",
    "[blocks]") {
  const auto problem = posed_blocks("flux_split", points);
  double largest = 0, smallest = 1, mean = 0;
  for_each_cell(points, false, [&](int i, int j, int k) {
    for (int r = 0; r < 5; ++r) {
      double sum = 0;
      for (int m = 0; m < 6; ++m)
        for (int c = 0; c < 5; ++c) {
          const double value = std::abs(problem->matrices.get(150 * i + 25 * m + 5 * r + c, j, k));
          sum += value, smallest = std::min(smallest, value);
        }
      largest = std::max(largest, sum), mean += sum / (5.0 * double(points.cells()));
    }
  });
  CHECK(smallest > 0);
  CHECK(mean > 1.4);
  CHECK(mean < 2.0);
  CHECK(largest < 6);
}

TEST_CASE("the second-order residual of a constant is zero", "[blocks]") {
  const auto problem = posed_blocks("implicit_steps", Grid{9, 9, 9});
  HostField constant(problem->exact.grid(), Precision::fp64), zero = constant;
  for_each_cell(constant.grid(), true, [&](int i, int j, int k) { constant.set(i, j, k, 3); });
  const HostField residual =
      block_residual(*problem->description, problem->grid, problem->matrices, zero, constant);
  CHECK(block_norm(problem->grid, residual) < 1e-10);
}

TEST_CASE("a relaxation pass reduces a residual of noise by the factors of a reference program, to 0.015",
          "[blocks]") {
  for (const auto& [cfl, jacobi, revised, ssor] :
       {std::tuple{5.0, 0.681, 0.666, 0.511}, {20.0, 0.812, 0.807, 0.774}}) {
    const auto problem = posed_blocks("flux_split", points, {{"cfl", cfl}});
    const auto of_a_sweep = [&](BlockSweep sweep) {
      return factor_of_a_sweep(*problem, sweep, noise_of(*problem), zero_of(*problem));
    };
    CHECK(std::abs(of_a_sweep(BlockSweep::jacobi) - jacobi) < 0.015);
    CHECK(std::abs(of_a_sweep(BlockSweep::revised_ssor) - revised) < 0.015);
    CHECK(std::abs(of_a_sweep(BlockSweep::ssor) - ssor) < 0.015);
  }
}

TEST_CASE(
    "a pass's reduction depends on the solution: noise about a constant falls more slowly than noise at CFL "
    "5",
    "[blocks]") {
  const auto problem = posed_blocks("flux_split", points, {{"cfl", 5.0}});
  HostField constant = problem->exact, noise = noise_of(*problem);
  for_each_component(points, [&](int i, int j, int k) { constant.set(i, j, k, 1); });
  const auto of_a_sweep = [&](const HostField& exact) {
    return factor_of_a_sweep(*problem, BlockSweep::jacobi, right_side_of(*problem, exact), zero_of(*problem),
                             {0, 50});
  };
  CHECK(of_a_sweep(noise) == Approx(0.68).margin(0.01));
  CHECK(of_a_sweep(constant) == Approx(0.71).margin(0.01));
  CHECK(of_a_sweep(problem->exact) == Approx(0.71).margin(0.01));
}

TEST_CASE("Jacobi passes converge at every CFL number, by a factor below 1 - 1 / (1 + CFL)", "[blocks]") {
  double last = 0;
  for (double cfl : {1.0, 5.0, 20.0, 100.0}) {
    const auto problem = posed_blocks("flux_split", points, {{"cfl", cfl}});
    const double radius =
        factor_of_a_sweep(*problem, BlockSweep::jacobi, zero_of(*problem), noise_of(*problem), {200, 300});
    INFO(cfl << " " << radius);
    CHECK(radius < 1 - 1 / (1 + cfl));
    CHECK(radius > last);
    last = radius;
  }
}

TEST_CASE("per pass, steps of five pairs reduce the residual most with SSOR, then revised SSOR, then Jacobi",
          "[blocks]") {
  for (const auto& [cfl, steps] : {std::pair{5.0, 5}, {20.0, 10}}) {
    const auto problem = posed_blocks("flux_split", points, {{"cfl", cfl}});
    const auto of_a_sweep = [&, steps = steps](const char* solver) {
      const Config config{{"omega", 1.0}, {"pairs", 5}};
      const Outcome outcome = solve_blocks_serially(solver, Precision::fp64, config, problem, steps).outcome;
      return std::pow(factor(outcome, 0, steps), 0.1);
    };
    const double of_jacobi = of_a_sweep("block_jacobi"), of_revised = of_a_sweep("block_revised_ssor"),
                 of_ssor = of_a_sweep("block_ssor");
    CHECK(of_ssor < of_revised);
    CHECK(of_revised < of_jacobi);
    CHECK(of_jacobi < 0.84);
  }
}

TEST_CASE(
    "implicit steps with Jacobi converge slightly more slowly than with SSOR, both as in a reference program",
    "[blocks]") {
  const auto problem = posed_blocks("implicit_steps", points);
  const auto solved = [&](const char* solver) {
    return factor(solve_blocks_serially(solver, Precision::fp64, {{"pairs", 5}}, problem, 60).outcome, 0, 60);
  };
  const double jacobi = solved("block_jacobi"), ssor = solved("block_ssor"),
               revised = solved("block_revised_ssor");
  CHECK(std::abs(jacobi - 0.846) < 0.02);
  CHECK(std::abs(ssor - 0.841) < 0.02);
  CHECK(std::abs(revised - 0.835) < 0.02);
}

TEST_CASE("implicit steps relaxed in 32 bits with a 64-bit residual converge to rounding like 64-bit steps",
          "[blocks]") {
  const auto problem = posed_blocks("implicit_steps", points);
  const auto solved = [&](Precision p) {
    return solve_blocks_serially("block_jacobi", p, {{"pairs", 5}}, problem, 220);
  };
  const SolvedBlocks in_64 = solved(Precision::fp64), mixed = solved(Precision::mixed),
                     in_32 = solved(Precision::fp32);
  CHECK(in_64.outcome.relative_residual < 5e-15);
  CHECK(mixed.outcome.relative_residual < 5e-15);
  CHECK(mixed.error < 1e-13);
  CHECK(in_32.outcome.relative_residual > 1e-8);
  for (int n = 0; n <= 190; ++n)
    CHECK(mixed.outcome.history[n].second == Approx(in_64.outcome.history[n].second).epsilon(5e-3));
}

TEST_CASE("every block solver finds the exact unknowns, on a plate and in a duct", "[blocks]") {
  for (const char* walls : {"plate", "duct"}) {
    const auto problem = posed_blocks("flux_split", Grid{14, 9, 12}, {{"walls", walls}});
    for (const std::string& solver : block_solver_names())
      for (const auto& [precision, tolerance, error] : {std::tuple{Precision::fp64, 1e-12, 1e-9},
                                                        {Precision::mixed, 1e-12, 1e-9},
                                                        {Precision::fp32, 1e-5, 1e-2}}) {
        INFO(walls << " " << solver << " " << to_string(precision));
        const SolvedBlocks s = solve_blocks_serially(solver, precision, {}, problem, 60, tolerance);
        CHECK(s.outcome.converged);
        CHECK(s.error < error);
        CHECK(s.true_residual ==
              Approx(s.outcome.relative_residual).epsilon(0.01).margin(64 * roundoff(precision)));
      }
  }
}

TEST_CASE("all backends, methods, layouts and numbers of threads give a block solver the same bits",
          "[blocks]") {
  const auto problem = posed_blocks("flux_split", Grid{37, 3, 4});
  const Config few{{"pairs", 1}};
  for (const std::string& solver : block_solver_names())
    for (Precision p : all_precisions) {
      const HostField expected = solve_blocks_serially(solver, p, few, problem, 2).x;
      for (BackendKind kind : {BackendKind::serial, BackendKind::openmp, BackendKind::kokkos}) {
        if (!unavailable_reason(kind).empty()) continue;
        const auto check = [&](const BlockMethod& method, Config config) {
          config.set("pairs", 1);
          INFO(solver << " " << to_string(kind) << " " << method.name << " " << config.text());
          CHECK(same_bits(solve_blocks_on(backend(kind), method, p, config, problem, 2).x, expected));
        };
        for (const BlockMethod& method : find_block_solver(solver)->methods(kind)) {
          for (const char* layout : {"aos25", "aos32", "soa", "soa_block", "soa_8"}) {
            Config config{{"layout", layout}};
            if (kind == BackendKind::openmp) config.set("threads", 1);
            check(method, config);
          }
          if (kind == BackendKind::openmp && p == Precision::fp32)
            for (int threads : {2, 4}) check(method, {{"threads", threads}});
        }
      }
    }
}

TEST_CASE("Jacobi gives the same values by copying back as by swapping two fields", "[blocks]") {
  const auto problem = posed_blocks("flux_split", Grid{9, 5, 6});
  CHECK(same_bits(solve_blocks_serially("block_jacobi", Precision::fp64, {{"store", "copy"}}, problem, 3).x,
                  solve_blocks_serially("block_jacobi", Precision::fp64, {}, problem, 3).x));
}

TEST_CASE("the counted bytes of a block solver equal its allocations", "[blocks][memory]") {
  const auto problem = posed_blocks("flux_split", Grid{9, 5, 6});
  for (const std::string& solver : block_solver_names())
    for (Precision p : all_precisions)
      for (const char* layout : {"aos25", "soa_block"}) {
        const BlockMethod method = find_block_solver(solver)->methods(BackendKind::serial).front();
        const Config config = method.space.complete({{"layout", layout}});
        CountedHost real(backend(BackendKind::serial));
        const PreparedBlocks prepared(method, real, p, config, problem);
        CHECK(block_solver_bytes(method, BackendKind::serial, p, problem->grid, config) == real.most());
      }
}

TEST_CASE("the largest difference of block vectors covers all components of all points and keeps a NaN",
          "[blocks]") {
  const auto problem = posed_blocks("flux_split", Grid{4, 3, 5});
  HostField x = problem->exact;
  CHECK(largest_block_difference(problem->grid, x, problem->exact) == 0);
  const int planes = block_component_planes(problem->grid, block_problem_halo);
  x.set(3, 2, 4 + 4 * planes, x.get(3, 2, 4 + 4 * planes) - 0.5);  // last component of the last point
  x.set(0, 0, 0, x.get(0, 0, 0) + 0.25);
  CHECK(largest_block_difference(problem->grid, x, problem->exact) == Approx(0.5));
  x.set(1, 1, 2 + planes, std::nan(""));
  CHECK(std::isnan(largest_block_difference(problem->grid, x, problem->exact)));
}
