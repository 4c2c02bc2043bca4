// Systems that are periodic along some axes and have Dirichlet sides along the others, with a constant
// operator and with an array per coefficient.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/solvers/linear/preconditioner_symmetry.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

const char* const channels[] = {"periodic_channel", "graded_channel"};

// Returns the methods on a backend that support a problem, with their solvers.
std::vector<std::pair<const SolverDescription*, SolverMethod>> able_methods(BackendKind kind,
                                                                            const LinearProblem& problem) {
  std::vector<std::pair<const SolverDescription*, SolverMethod>> all;
  for (const SolverDescription& solver : solver_table())
    if (refusal(solver, *problem.description).empty())
      for (const SolverMethod& method : solver.methods(kind))
        if (can_do(method, shape_of(problem, Precision::fp64))) all.emplace_back(&solver, method);
  return all;
}
Solved by(const std::string& solver, const std::string& method, BackendKind kind,
          const std::shared_ptr<const LinearProblem>& problem, const SolveOptions& options) {
  return solve(solver, method_named(solver_named(solver), kind, method), backend(kind), Precision::fp64,
               problem, options);
}
std::shared_ptr<const LinearProblem> graded(const Grid& g, double contrast) {
  return std::make_shared<const LinearProblem>(make_problem("graded_channel", g, {{"contrast", contrast}}));
}

// Two unknowns that are each other's neighbour at both ends of an axis.
struct TwoByTwo {
  double diagonal, other, r0, r1;
  double u0() const { return (diagonal * r0 + other * r1) / (diagonal * diagonal - other * other); }
  double u1() const { return (diagonal * r1 + other * r0) / (diagonal * diagonal - other * other); }
};

}  // namespace

TEST_CASE("two cells around a channel and one point across it have the answer worked by hand", "[periodic]") {
  // h = 1/2 in both directions. Each cell is the other's neighbour twice: 4 u0 - 2 u1 = b0 plus both wall
  // values.
  const auto points = posed("periodic_channel", {2, 1});
  const auto walls = [&](const LinearProblem& p, int i) {
    return p.initial.get(i, -1) + p.initial.get(i, 1);
  };
  CHECK(points->initial.get(0, -1) == Approx(std::exp(0.5)));      // x = 1/4, y = 0
  CHECK(points->initial.get(1, 1) == Approx(std::exp(-0.5 + 1)));  // x = 3/4, y = 1
  CHECK(points->constant.centre == 4);
  const TwoByTwo constant{4, 2, points->b.get(0, 0) + walls(*points, 0),
                          points->b.get(1, 0) + walls(*points, 1)};
  // k = contrast^(1/2) on both faces between the cells, and contrast and 1 within them. A cell has height 1
  // and the walls are half of that away: wy = 1/4, doubled at each wall.
  const auto cells = graded({2, 1}, 4);
  const double face = 2, k[] = {4, 1};
  CHECK(cells->coefficients[0].get(0, 0) == Approx(face));
  CHECK(cells->coefficients[1].get(1, 0) == Approx(face));
  for (int i : {0, 1}) {
    CHECK(cells->coefficients[2].get(i, 0) == Approx(k[i] / 2));
    CHECK(cells->coefficients[4].get(i, 0) == Approx(2 * face + k[i]));
  }
  for (BackendKind kind : backends_here()) {
    for (const auto& [solver, method] : able_methods(kind, *points)) {
      INFO(solver->name << "/" << to_string(kind) << "/" << method.name);
      const Solved s = solve(solver->name, method, backend(kind), Precision::fp64, points, {1e-13, 1000});
      CHECK(s.u.get(0, 0) == Approx(constant.u0()).epsilon(1e-11));
      CHECK(s.u.get(1, 0) == Approx(constant.u1()).epsilon(1e-11));
    }
    for (const auto& [solver, method] : able_methods(kind, *cells)) {
      INFO(solver->name << "/" << to_string(kind) << "/" << method.name);
      const Solved s = solve(solver->name, method, backend(kind), Precision::fp64, cells, {1e-13, 1000});
      for (int i : {0, 1}) {
        const double u = s.u.get(i, 0), across = s.u.get(1 - i, 0);
        CHECK((2 * face + k[i]) * u - 2 * face * across ==
              Approx(cells->b.get(i, 0) + k[i] / 2 * walls(*cells, i)).epsilon(1e-10));
      }
    }
  }
}

TEST_CASE("all solvers that support a channel find the same answer, in every precision, on every backend",
          "[periodic]") {
  for (const char* channel : channels) {
    int solved = 0;
    for (const Grid& g : {Grid{32, 24}, Grid{16, 15}, Grid{12, 7, 8}, Grid{15, 9}}) {
      const auto problem = posed(channel, g);
      const Solved exact = by("cg", "textbook", BackendKind::serial, problem, {1e-13, 5000});
      for (BackendKind kind : backends_here())
        for (const auto& [solver, method] : able_methods(kind, *problem))
          for (Precision p : all_precisions) {
            if (!can_do(method, shape_of(*problem, p))) continue;
            INFO(channel << " " << solver->name << "/" << to_string(kind) << "/" << to_string(p) << "/"
                         << method.name << " " << name(g));
            const double tolerance = p == Precision::fp32 ? 2e-5 : 1e-10;
            const Solved s = solve(solver->name, method, backend(kind), p, problem, {tolerance, 5000});
            CHECK(s.outcome.converged);
            CHECK(largest_difference(s.u, exact.u) <= 200 * tolerance);
            ++solved;
          }
    }
    CHECK(solved >= 60);
  }
}

TEST_CASE("the answer in a channel is second order, in 2-D and 3-D", "[periodic]") {
  for (const char* channel : channels)
    for (const auto& [solver, method] : {std::pair{"multigrid", "plain"}, {"cg", "textbook"}})
      for (const bool d3 : {false, true}) {
        // One point less across than around, so that both directions can be halved.
        const int less = std::string(channel) == "periodic_channel" ? 1 : 0;
        const auto error = [&](int n) {
          const Grid g = d3 ? Grid{n, n - less, n} : Grid{n, n - less};
          return by(solver, method, BackendKind::serial, posed(channel, g), {1e-11}).error.l2;
        };
        INFO(channel << " " << solver << (d3 ? " 3-D" : " 2-D"));
        const double order = std::log2(error(16) / error(32));
        CHECK(order > 1.8);
        CHECK(order < 2.2);
      }
}

TEST_CASE("a V(2,2) cycle reduces the residual tenfold in a channel, for odd and even numbers across",
          "[periodic][multigrid]") {
  for (const Grid& g : {Grid{32, 31}, Grid{32, 32}, Grid{128, 128}, Grid{64, 101}, Grid{48, 50}, Grid{2, 3},
                        Grid{16, 15, 16}, Grid{32, 32, 32}, Grid{24, 20, 16}}) {
    INFO(name(g));
    const Solved s =
        by("multigrid", "plain", BackendKind::serial, posed("periodic_channel", g), {1e-10, 100});
    CHECK(s.outcome.converged);
    CHECK(worst_factor(s.outcome) <= 0.1);
  }
}

TEST_CASE(
    "with arrays a V(2,2) cycle reduces the residual tenfold in a channel, fourfold at a contrast of 1000",
    "[periodic][multigrid]") {
  for (const auto& [contrast, most] : {std::pair{10.0, 0.1}, {1000.0, 0.25}})
    for (const Grid& g : {Grid{32, 32}, Grid{128, 127}, Grid{64, 50}, Grid{16, 16, 16}, Grid{32, 31, 16}}) {
      INFO(name(g) << " contrast " << contrast);
      const Solved s = by("multigrid", "plain", BackendKind::serial, graded(g, contrast), {1e-10, 100});
      CHECK(s.outcome.converged);
      CHECK(worst_factor(s.outcome) <= most);
    }
}

TEST_CASE("the answer in a channel is invariant under shifts along periodic axes", "[periodic]") {
  for (const char* channel : channels)
    for (const Grid& g : {Grid{16, 24}, Grid{8, 13, 16}})
      for (const auto& [solver, method] : {std::pair{"multigrid", "plain"}, {"pcg", "textbook"}}) {
        INFO(channel << " " << solver << " " << name(g));
        const LinearProblem at_first = make_problem(channel, g);
        auto moved = std::make_shared<LinearProblem>(at_first);
        const int by_x = 6, by_z = 2;  // by whole coarse cells; otherwise cycles differ
        const auto from = [&](int i, int k) {
          return std::pair{(i + by_x) % g.nx, g.is_3d() ? (k + by_z) % g.nz : 0};
        };
        const auto move = [&](const HostField& of, HostField& to) {
          for_each_cell(g, true, [&](int i, int j, int k) {
            const auto [x, z] = from(i + g.nx, k + g.nz);
            to.set(i, j, k, of.get(x, j, z));
          });
        };
        move(at_first.b, moved->b), move(at_first.initial, moved->initial);
        for (std::size_t n = 0; n < moved->coefficients.size(); ++n)
          move(at_first.coefficients[n], moved->coefficients[n]);
        const auto u = [&](const std::shared_ptr<const LinearProblem>& problem) {
          return by(solver, method, BackendKind::serial, problem, {1e-12, 1000}).u;
        };
        const HostField here = u(posed(channel, g)), there = u(moved);
        double off = 0;
        for_each_cell(g, false, [&](int i, int j, int k) {
          const auto [x, z] = from(i, k);
          const double difference = std::abs(there.get(i, j, k) - here.get(x, j, z));
          if (!(difference <= off)) off = difference;
        });
        CHECK(off <= 1e-9);
      }
}

TEST_CASE("a cycle in a channel is a symmetric preconditioner", "[periodic][multigrid]") {
  for (const char* channel : channels)
    for (const Grid& g : {Grid{16, 24}, Grid{12, 9}, Grid{8, 11, 6}}) {
      const auto problem = posed(channel, g);
      Operator a = problem->constant;
      a.constant = problem->coefficients.empty();
      OwnedSystem system(backend(BackendKind::serial), Precision::fp64, g, a, nullptr,
                         sides_of(*problem->description));
      system.upload(*problem);
      const SolverMethod method = method_named(solver_named("pcg"), BackendKind::serial, "multigrid");
      const Preconditioner m(PreconditionerKind::multigrid, system.system(), method.space.defaults(), true);
      m.start();
      const auto any = [&](unsigned salt) {
        HostField r(g, Precision::fp64);
        for_each_cell(g, false, [&](int i, int j, int k) { r.set(i, j, k, noise(i, j, k, salt)); });
        return r;
      };
      INFO(channel << " " << name(g));
      check_symmetry(m, system, any(1), any(2));
    }
}

TEST_CASE("a channel that repeats along x gives a cycle that repeats too, across the periodic sides",
          "[periodic][multigrid]") {
  const Grid g{16, 6};
  const int half = g.nx / 2;
  auto problem = std::make_shared<LinearProblem>(make_problem("graded_channel", g));
  const auto repeat = [&](HostField& f, int shift) {
    const HostField once = f;
    for_each_cell(g, true,
                  [&](int i, int j, int k) { f.set(i, j, k, once.get((i + g.nx + shift) % half, j, k)); });
  };
  std::vector<HostField>& a = problem->coefficients;
  repeat(problem->b, 0), repeat(problem->initial, 0);
  a[1] = a[0];  // both sides of a face share its value
  repeat(a[0], 0), repeat(a[1], 1), repeat(a[2], 0), repeat(a[3], 0);
  for_each_cell(g, true, [&](int i, int j, int k) {
    double sum = 0;
    for (int face = 0; face < 4; ++face) sum += a[face].get(i, j, k);
    a[4].set(i, j, k, sum);
  });
  const Solved s = by("multigrid", "plain", BackendKind::serial, problem, {1e-30, 1, {{"levels", 3}}});
  for_each_cell(g, false, [&](int i, int j, int k) {
    CHECK(s.u.get(i, j, k) == Approx(s.u.get((i + half) % g.nx, j, k)).epsilon(1e-12));
  });
}

// The walls are part of the arrays, and the mean is removed.
TEST_CASE("a channel between insulated walls has one answer of mean 0, and cycles converge as fast",
          "[periodic][multigrid]") {
  ProblemDescription closed = find_problem("periodic_box");
  closed.boundaries.south = closed.boundaries.north = BoundaryKind::neumann;
  for (const Grid& g : {Grid{32, 24}, Grid{64, 63}, Grid{16, 13, 8}, Grid{32, 32, 32}}) {
    INFO(name(g));
    const auto problem = std::make_shared<const LinearProblem>(make_problem(closed, g));
    CHECK(problem->coefficients.size() == (g.is_3d() ? 7 : 5));
    const Solved exact = by("cg", "textbook", BackendKind::serial, problem, {1e-13, 5000});
    for (const auto& [solver, method] : able_methods(BackendKind::serial, *problem)) {
      INFO(solver->name << " " << method.name);
      const Solved s =
          solve(solver->name, method, backend(BackendKind::serial), Precision::fp64, problem, {1e-10, 5000});
      CHECK(s.outcome.converged);
      CHECK(largest_difference(s.u, exact.u) <= 1e-8);
      if (solver->name == "multigrid") CHECK(worst_factor(s.outcome, 2) <= 0.1);
    }
  }
}

TEST_CASE(
    "a solver without periodic sides rejects a channel, and a problem periodic on one side only is an error",
    "[periodic]") {
  for (const char* solver : {"jacobi", "sor", "gauss_seidel", "hypre", "ginkgo"})
    CHECK_THAT(refusal(solver_named(solver), find_problem("periodic_channel")),
               ContainsSubstring(std::string(solver) +
                                 " does not support the periodic boundary of periodic_channel in the west"));
  for (const char* channel : channels)
    CHECK_THAT(method_named(solver_named("cg"), BackendKind::serial, "fused")
                   .why_unsupported(shape_of(*posed(channel, {8, 8}), Precision::fp64)),
               ContainsSubstring("use cg/textbook, multigrid/plain or direct"));
  for (const SolverMethod& method : solver_named("direct").methods(BackendKind::serial))
    CHECK_THAT(method.why_unsupported(shape_of(*posed("graded_channel", {8, 8}), Precision::fp64)),
               !Catch::Matchers::Equals(""));
  ProblemDescription half = find_problem("periodic_channel");
  half.boundaries.west = BoundaryKind::neumann;
  CHECK_THROWS_WITH(make_problem(half, {8, 8}),
                    ContainsSubstring("periodic_channel") && ContainsSubstring("west and east"));
}
