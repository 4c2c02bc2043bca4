// The fused methods of pcg and bicgstab, compared with the textbook operations.
#include <cmath>
#include <cstring>

#include "solvers/linear/krylov/preconditioner.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

struct Pair {
  const char *solver, *textbook, *fused;
};
const Pair pairs[] = {
    {"pcg", "textbook", "fused"}, {"pcg", "multigrid", "fused_multigrid"}, {"bicgstab", "textbook", "fused"}};

Solved solve(const Pair& of, const char* method, BackendKind kind, Precision p, const char* problem,
             const Grid& grid, int looks, const SolveOptions& options) {
  SolveOptions with = options;
  with.config.set("check_interval", looks);
  return solve(of.solver, method_named(solver_named(of.solver), kind, method), backend(kind), p,
               posed(problem, grid), with);
}

bool same_bits(const HostField& a, const HostField& b) {
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

const std::pair<const char*, Grid> problems[] = {{"manufactured", {63, 40}}, {"manufactured", {17, 13, 11}},
                                                 {"jump", {24, 33}},         {"jump", {9, 12, 10}},
                                                 {"insulated", {16, 21}},    {"periodic_box", {16, 24}}};

// Returns the values per cell that an iteration moves, without its preconditioner.
double values(const char* solver, const char* method, const Grid& g, const char* problem) {
  Backend& on = backend(BackendKind::serial);
  const auto posed_problem = posed(problem, g);
  Operator a = posed_problem->constant;
  a.constant = posed_problem->coefficients.empty();
  OwnedSystem system(on, Precision::fp64, g, a);
  const SolverMethod of = method_named(solver_named(solver), BackendKind::serial, method);
  const Config config = of.space.defaults();
  const auto iteration = of.prepare(system.system(), config);
  double bytes = iteration->cost(1).bytes - iteration->cost(0).bytes;
  if (std::string(solver) == "pcg")
    bytes -= Preconditioner(PreconditionerKind::red_black, system.system(), config, true).cost().bytes;
  return bytes / double(g.cells()) / 8;
}

}  // namespace

// Sums use the same lanes, and every field is rounded as in the textbook operations.
TEST_CASE("fused PCG and BiCGStab have the textbook's bits on a CPU", "[cg][bicgstab]") {
  for (BackendKind kind : {BackendKind::serial, BackendKind::openmp}) {
    if (!unavailable_reason(kind).empty()) continue;
    for (const Pair& of : pairs)
      for (const auto& [problem, grid] : problems)
        for (Precision p : all_precisions) {
          const SolverMethod fused = method_named(solver_named(of.solver), kind, of.fused);
          if (!can_do(fused, shape_of(*posed(problem, grid), p))) continue;
          INFO(to_string(kind) << " " << of.solver << " " << of.fused << " " << problem << " "
                               << to_string(p));
          for (int looks : {1, 5}) {
            const SolveOptions few{.tolerance = 1e-30, .max_iterations = 10};
            const Solved there = solve(of, of.textbook, kind, p, problem, grid, looks, few);
            const Solved here = solve(of, of.fused, kind, p, problem, grid, looks, few);
            REQUIRE(here.outcome.history == there.outcome.history);
            REQUIRE(same_bits(here.u, there.u));
          }
        }
  }
}

// Another order of summation changes the last bits, but the answer is still the discrete solution.
TEST_CASE("fused PCG and BiCGStab find the textbook's answer on every backend", "[cg][bicgstab]") {
  for (BackendKind kind : backends_here())
    for (const Pair& of : pairs)
      for (const auto& [problem, grid] : problems) {
        const SolverMethod fused = method_named(solver_named(of.solver), kind, of.fused);
        if (!can_do(fused, shape_of(*posed(problem, grid), Precision::fp64))) continue;
        INFO(to_string(kind) << " " << of.solver << " " << of.fused << " " << problem);
        const SolveOptions whole{.tolerance = 1e-11};
        const Solved there = solve(of, of.textbook, kind, Precision::fp64, problem, grid, 2, whole);
        const Solved here = solve(of, of.fused, kind, Precision::fp64, problem, grid, 2, whole);
        REQUIRE(here.outcome.converged);
        CHECK(largest_difference(here.u, there.u) <= 1e-6);
      }
}

TEST_CASE("fused PCG needs at most as many iterations as there are unknowns", "[cg]") {
  for (const char* method : {"fused", "fused_multigrid"})
    CHECK(solve(pairs[0], method, BackendKind::serial, Precision::fp64, "jump", {4, 3}, 1,
                {.tolerance = 1e-11, .max_iterations = 12})
              .outcome.converged);
}

TEST_CASE("fused PCG rejects periodic sides, and fused BiCGStab supports them", "[cg][bicgstab][periodic]") {
  const SystemShape shape = shape_of(*posed("periodic_box", {8, 8}), Precision::fp64);
  for (const char* method : {"fused", "fused_multigrid"})
    CHECK_THAT(method_named(solver_named("pcg"), BackendKind::serial, method).why_unsupported(shape),
               ContainsSubstring("use cg/textbook, multigrid/plain or direct"));
  CHECK(can_do(method_named(solver_named("bicgstab"), BackendKind::serial, "fused"), shape));
}

TEST_CASE("an iteration moves 10 values per cell in fused PCG and 20 in fused BiCGStab, instead of 15 and 29",
          "[cg][bicgstab]") {
  const auto moved = [](const char* solver, const char* method) {
    return values(solver, method, {10, 10}, "manufactured");
  };
  CHECK(moved("pcg", "textbook") == Approx(15));
  CHECK(moved("pcg", "fused") == Approx(10));
  CHECK(moved("bicgstab", "textbook") == Approx(29));
  CHECK(moved("bicgstab", "fused") == Approx(20));
  // With five arrays A p is stored and read again: 5 + 2 more values.
  CHECK(values("pcg", "fused", {10, 10}, "jump") == Approx(17));
  CHECK(values("bicgstab", "fused", {10, 10}, "jump") == Approx(30));
}
