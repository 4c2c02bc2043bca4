// The table of problems.
#include "solvers/problems/problem.hpp"

#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

TEST_CASE("an unknown problem is an error that lists the known ones", "[problems]") {
  for (const std::string& name : problem_names()) {
    CHECK(find_problem(name).name == name);
    CHECK_THROWS_WITH(find_problem("plate"), ContainsSubstring(name));
  }
}

TEST_CASE("every problem has its exact solution on the boundary, and inside to the order of its stencil",
          "[problems]") {
  for (const ProblemDescription& problem : problem_table())
    for (const Grid& g : {Grid{15, 15}, Grid{15, 15, 15}}) {
      if (!unsuitable_reason(problem, g).empty()) continue;
      INFO(problem.name << " " << g.nz);
      const LinearProblem p = make_problem(problem, g);
      CHECK(p.initial.get(-1, 3, 0) == p.exact.get(-1, 3, 0));
      CHECK(p.initial.get(5, g.ny, 0) == p.exact.get(5, g.ny, 0));
      CHECK(p.initial.get(3, 3, 0) == 0);
      CHECK(residual_norm(p, p.exact) < 0.1 * residual_norm(p, p.initial));
      CHECK(p.coefficients.empty() == !has_arrays(problem));
      double bytes = double(p.b.bytes() + p.initial.bytes() + p.exact.bytes());
      for (const HostField& c : p.coefficients) bytes += double(c.bytes());
      CHECK(problem_bytes(problem, g) == bytes);
    }
}

TEST_CASE("a boundary face of a plate cell conducts twice as much, at half the distance", "[problems]") {
  const LinearProblem one = make_problem("heated_plate_cells", {1, 1});
  for (int face = 0; face < 4; ++face) CHECK(one.coefficients[face].get(0, 0, 0) == 2);
  CHECK(one.coefficients[4].get(0, 0, 0) == 8);
  const LinearProblem p = make_problem("heated_plate_cells", {3, 6});  // cells twice as wide as high
  const auto cell = [&](int i, int j) {
    std::vector<double> found;
    for (const HostField& c : p.coefficients) found.push_back(c.get(i, j, 0));
    return found;
  };
  CHECK(cell(1, 2) == std::vector<double>{1, 1, 4, 4, 10});
  CHECK(cell(0, 5) == std::vector<double>{2, 1, 4, 8, 15});
  CHECK(p.exact.get(1, 6, 0) == 1);
  CHECK(p.exact.get(-1, 2, 0) == 0);
  CHECK(p.exact.get(1, 2, 0) == heated_plate_solution(0.5, 2.5 / 6));
}

TEST_CASE("the plate of cells is 1/4 at its centre, and second order away from the hot corners",
          "[problems]") {
  const SolverMethod method = method_named(solver_named("cg"), BackendKind::serial, "textbook");
  const auto error = [&](int n, int j) {
    const HostField u = solve("cg", method, backend(BackendKind::serial), Precision::fp64,
                              posed("heated_plate_cells", {n, n}), {.tolerance = 1e-12})
                            .u;
    CHECK(u.get(n / 2, n / 2, 0) == Approx(0.25).epsilon(1e-9));
    return std::abs(u.get(n / 2, j, 0) - heated_plate_solution(0.5, (j + 0.5) / n));
  };
  CHECK(error(9, 2) / error(27, 7) > 7);  // the middle of cell 2 of 9 is that of cell 7 of 27
}

TEST_CASE("a solver rejects an unsupported boundary and names the side and the supported ones",
          "[problems]") {
  ProblemDescription channel = find_problem("manufactured");
  channel.name = "channel";
  channel.boundaries.east = BoundaryKind::symmetric;
  const auto posed = std::make_shared<const LinearProblem>(make_problem(channel, {8, 8}));
  const auto able = [](const SolverDescription& solver) {
    const std::string& name = solver.name;
    if (name == "hypre" || name == "ginkgo") return "dirichlet";
    const bool sweeps = name == "jacobi" || name == "gauss_seidel" || name == "sor";
    return sweeps ? "dirichlet, neumann" : "dirichlet, neumann, periodic";
  };
  for (const SolverDescription& solver : solver_table()) {
    CHECK(refusal(solver, find_problem("manufactured")) == "");
    const std::string reason = refusal(solver, channel);
    CHECK(reason == solver.name +
                        " does not support the symmetric boundary of channel in the east; it supports " +
                        able(solver));
    const SolverMethod method = solver.methods(BackendKind::serial).front();
    CHECK_THROWS_WITH(PreparedSolver(solver, method, backend(BackendKind::serial), Precision::fp64,
                                     method.space.defaults(), posed),
                      reason);
  }
}

TEST_CASE(
    "the plate's results include its centre if a point lies there, and every problem's include the error",
    "[problems]") {
  const LinearProblem odd = make_problem("heated_plate", {7, 7});
  const std::vector<NamedValue> named = results(odd, odd.exact);
  REQUIRE(named.size() == 3);
  CHECK(named[0].name == "error_max");
  CHECK(named[1].value == 0);
  CHECK(named[2].name == "centre_temperature");
  CHECK(named[2].value == Approx(0.25).epsilon(1e-14));
  const LinearProblem even = make_problem("heated_plate", {8, 7});
  CHECK(results(even, even.exact).size() == 2);
}
